/** The last rows of a question: what keys do, in words. */
import type { QuestionContent, QuestionView } from '../../src/state/question.ts'
import type { SlashCommand } from '../../src/state/slash.ts'
import type { AppState } from '../../src/state/state.ts'
import { fitting, type Fact } from '../../src/style/facts-line.ts'
import { keyFact, keysLine } from '../../src/style/list-window.ts'
import { indented, type Styled } from '../../src/style/styled.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { oneLine, sanitize, sanitizeExact, type SafeText } from '../../src/text/sanitize.ts'
import { enterWords } from '../composer/enter-words.ts'
import { keyOf, type QuestionContext } from './answers.ts'

/** The ways to show the answers, each with less room than the one before. */
export type Density = 'rows' | 'majors' | 'compact'

/** The effect of Enter on the draft, or key hints; and the hint that is shown now. */
export function footLines(
  state: AppState,
  view: QuestionView,
  context: QuestionContext & { commands: readonly SlashCommand[] },
  { room, density, isLong }: { room: number; density: Density; isLong: boolean },
): Styled[] {
  const { keyNames, hint } = state
  const hintLines = hint === null ? [] : [hintLine(hint, context)]
  if (state.editor.text !== '') {
    const line = keysLine(draftKeys(state, view, context.commands), context)
    return room < 10 ? [line] : [...hintLines, line]
  }
  const isCompact = density === 'compact' && !view.typed
  if (isCompact && room < 10) return hintLines
  const hints = density === 'majors' ? minorHints(view, keyNames) : []
  const keys = [...hints, ...(view.typed ? typedKeys(view, keyNames) : keysOf(view, isLong, keyNames))]
  // A second row only where the keys that answer need it.
  const needsTwo = fitting(hints, context.columns - 2).length < hints.length
  const lines = flowing(keys, context, needsTwo ? 2 : 1)
  return hint === null ? lines : [...lines.slice(0, -1), ...hintLines]
}

/** The key hints that stand for the minor answers; the selected one has a row. */
export function minorHints(
  { answers, typed, selected }: QuestionView,
  keyNames: KeyNames,
): (Fact & { text: SafeText })[] {
  return answers
    .filter(({ isMinor, move }, index) => isMinor && index !== selected && !typed && keyOf(move, keyNames) !== '')
    .map(({ label, short = label, move }) => ({
      text: oneLine(sanitizeExact(`${keyOf(move, keyNames)} ${short}`)),
      rank: move === 'leave' ? 0 : 1,
    }))
}

/** The keys while a text stands in the composer: Enter first, which answers nothing. */
function draftKeys(state: AppState, view: QuestionView, commands: readonly SlashCommand[]): Fact[] {
  const { keyNames } = state
  const { words, short } = enterWords(state, commands)
  const key = keyed(keyNames, '{composer.submit} ')
  const leaves = view.content.kind === 'call' ? ' no, and stop' : leavingOf(view.content)
  return [
    { ...keyFact(`${key}${words}, no answer`, 1), shorter: keyFact(`${key}${short}`, 0) },
    keyFact(keyed(keyNames, '{composer.stash} sets it aside'), 3),
    keyFact(keyed(keyNames, `{composer.stop}${leaves}`), 2),
  ]
}

/** A hint takes the place of key hints: the status line is covered. */
function hintLine(hint: string, { theme, columns }: QuestionContext): Styled {
  return indented(2, truncate(oneLine(sanitize(hint)), Math.max(1, columns - 2), theme.signs.ellipsis))
}

/** Key hints on at most `most` lines. Those that do not fit are dropped, the least important first. */
function flowing(keys: readonly Fact[], context: QuestionContext, most: number): Styled[] {
  const room = context.columns - 2
  const lines: Fact[][] = [[]]
  for (const fact of keys) {
    const last = lines.at(-1) ?? []
    const isFull = fitting([...last, fact], room).length < last.length + 1
    if (isFull && lines.length < most && last.length > 0) lines.push([fact])
    else last.push(fact)
  }
  return lines.map(line => keysLine(line, context))
}

function typedKeys({ content }: QuestionView, names: KeyNames): Fact[] {
  const leaves = content.kind === 'form' ? '{typed.question_leave}: no answer' : '{typed.question_leave} cancels'
  return [keyFact(keyed(names, '{typed.question_take} confirms'), 0), keyFact(keyed(names, leaves), 1)]
}

function keysOf({ content, answers }: QuestionView, isLong: boolean, names: KeyNames): Fact[] {
  const isCall = content.kind === 'call'
  const hasLeave = answers.some(({ move }) => move === 'leave')
  const hints: [string, number][] = [
    ['{question.take} selects', 0],
    [isLong ? '{question.page_up}, {question.page_down} scroll' : '', 3],
    [isCall && content.others.length > 0 ? '{question.previous}, {question.next}: the others' : '', 2],
    [isCall ? '{question.next_mode} next mode' : '', 4],
    [hasLeave ? '' : `{question.leave}${leavingOf(content)}`, 1],
  ]
  return hints.map(([hint, rank]) => keyFact(keyed(names, hint), rank))
}

/** The effect of leaving, after the key's name. */
const LEAVES: Readonly<Record<QuestionContent['kind'], string>> = {
  call: ' cancels',
  mode: ': ask',
  plan: ': later',
  form: ': no answer',
  side: ' closes',
}

/** From the modes behind "more" it goes back. */
function leavingOf(content: QuestionContent): string {
  return content.kind === 'mode' && content.isMore ? ' goes back' : LEAVES[content.kind]
}
