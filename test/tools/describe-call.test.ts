import { describe, expect, test } from 'vitest'
import { initialChat } from '../../src/conversation/state.ts'
import { isOpen } from '../../src/conversation/calls/tool-calls.ts'
import { toolWords } from '../../src/export/tool-words.ts'
import { transcriptOf } from '../../src/export/transcript.ts'
import { createTheme } from '../../src/style/theme.ts'
import { renderTool } from '../../src/tools/panel/panel.ts'
import { plainTheme, samples, toolOf } from './samples.ts'

const spokenTheme = createTheme(0, { isSpoken: true })
/** Columns in which every title is whole. */
const WIDE = 4000

const finished = Object.entries(samples).flatMap(([name, events]) => {
  const { tool, turn } = toolOf(events)
  return isOpen(tool.state) ? [] : [{ name, tool, turn }]
})

describe.each(finished)('$name', ({ tool, turn }) => {
  test('is described by the same facts and the same subject on the screen, to a screen reader and in exports', () => {
    const { entries } = transcriptOf({ ...initialChat, entries: [turn] }, { id: null, title: '', folder: null })
    const [exported] = entries.flatMap(entry =>
      entry.kind === 'turn' ? entry.parts.filter(part => part.kind === 'tool') : [],
    )
    if (!exported) throw new Error('The call is not in the transcript.')
    const { name, subject, facts } = toolWords(exported)
    for (const theme of [plainTheme, spokenTheme]) {
      const context = { theme, width: WIDE, now: 0, maxBody: 0, detail: 'names' } as const
      const title = renderTool(tool, [], context)[0]?.text ?? ''
      expect(title).toContain(name)
      const told = facts.join(theme.isSpoken ? theme.gap : '   ')
      expect(title.slice(title.length - told.length)).toBe(told)
      // Of several files the screen shows the first, and it has its own form for arguments.
      expect(title).toContain(subject.startsWith('{') ? '' : subject.split(', ')[0])
    }
  })
})
