import { expect, test } from 'vitest'
import { z } from 'zod'
import { exported, exportFormatOf, exportFormats } from '../../src/export/formats.ts'
import { transcriptSchema } from '../../src/export/schema.ts'
import { transcriptOf } from '../../src/export/transcript.ts'
import { accepted, answered, answering, chatAfter, ended, prompt, says } from '../conversation/events.ts'
import { sample, sampleChat } from './sample.ts'

test.each(exportFormats)('%s', async format => {
  const text = await exported(sample, format, { zone: 'UTC' })
  await expect(text).toMatchFileSnapshot(`golden/session.${format}`)
})

test('the schema in the docs is the one that JSON is written by', async () => {
  const schema = z.toJSONSchema(transcriptSchema, { io: 'output' })
  await expect(`${JSON.stringify(schema, null, '\t')}\n`).toMatchFileSnapshot('../../docs/schemas/session.json')
  expect(transcriptSchema.parse(sample)).toEqual(sample)
})

test('a format is found by its name', () => {
  expect(exportFormatOf('html')).toBe('html')
  expect(exportFormatOf('HTML')).toBeNull()
  expect(exportFormatOf('notes.html')).toBeNull()
})

const facts = { id: null, title: '', folder: null }

test('withdrawn text is not exported', () => {
  expect(JSON.stringify(sample)).not.toContain('taken back')
  expect(sampleChat.entries.some(entry => JSON.stringify(entry).includes('taken back'))).toBe(true)
})

test('streaming text is not exported, and its turn is marked as unfinished', () => {
  const chat = chatAfter(prompt('hello'), accepted, answering, says('half a sen'))
  const [turn] = transcriptOf(chat, facts).entries
  expect(turn).toMatchObject({ kind: 'turn', outcome: 'running', prompt: 'hello', parts: [] })
})

test.each<[prompt: string, title: string]>([
  ['fix it', 'fix it'],
  ['\n\n  fix it\nplease', 'fix it'],
  ['x'.repeat(200), `${'x'.repeat(79)}…`],
  ['', 'Conversation'],
])('the export has the title of %j', (words, title) => {
  expect(transcriptOf(chatAfter(prompt(words), ended), facts).title).toBe(title)
  expect(transcriptOf(chatAfter(prompt(words), ended), { ...facts, title: 'Named' }).title).toBe('Named')
})

test.each<[folder: string, project: string | null]>([
  ['/home/me/app', 'app'],
  ['/home/me/app/', 'app'],
  [String.raw`C:\work\app`, 'app'],
  ['/', null],
])('the export has only the name of the folder %s', (folder, project) => {
  expect(transcriptOf(sampleChat, { ...facts, folder }).project).toBe(project)
})

test('an empty conversation is exported', async () => {
  const nothing = transcriptOf(chatAfter(), facts)
  for (const format of exportFormats) expect(await exported(nothing, format, { zone: 'UTC' })).toContain('Conversation')
})

test('invalid times are exported as no time', async () => {
  const chat = chatAfter(prompt('hello'), accepted, answered({ type: 'text', text: 'hi' }), ended)
  const odd = { ...transcriptOf(chat, facts), startedAt: 1e300, endedAt: Number.NaN }
  for (const format of exportFormats) expect(await exported(odd, format, { zone: 'UTC' })).toContain('hello')
})
