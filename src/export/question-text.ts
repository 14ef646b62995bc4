/**
 * A question that waits, as plain lines for a terminal that is not its own: the same facts as in `question.ts`, all of them, since a yes counts
 * for exactly this. What others wrote over several lines is indented, so that no line of it looks like one of ours.
 */
import type { FormField } from '../agent/session-events.ts'
import { questionTitle } from '../conversation/queries/question-title.ts'
import { sanitizeExact } from '../text/sanitize.ts'
import { describeRequest, type RequestSubject } from '../tools/describe-request.ts'
import { askedText, exactLines, exactPieces, namedArguments, type ExactPiece } from './exact-lines.ts'
import type { ShownQuestion } from './question.ts'

export function questionText(question: ShownQuestion): string {
  switch (question.kind) {
    case 'call':
      return callLines(question).join('\n')
    case 'form': {
      const { form, asker } = question
      const asks = exact(`${asker ?? 'The agent'} asks you`)
      return [asks, ...indented(form.message), ...form.fields.flatMap(fieldLines)].join('\n')
    }
    case 'plan':
      return ['Continue with this plan?', ...indented(question.text)].join('\n')
  }
}

function callLines({ facts, folder, asker, answers }: Extract<ShownQuestion, { kind: 'call' }>): string[] {
  const { title, subject, around, dangers, wants, reason } = describeRequest(facts)
  const asks = questionTitle(facts.request, facts.paths)
  return [
    exact(asker === null ? asks : `${asker}: ${asks}`),
    ...dangers.map(danger => exact(`! ${danger}`)),
    ...(title === null ? [] : [`  ${exact(title)}`]),
    ...subjectLines(subject),
    ...around.map(line => `  ${exact(line)}`),
    exact(`in ${folder}`),
    ...wants.map(exact),
    ...(reason === '' ? [] : [exact(reason)]),
    ...(answers.allow === null ? [] : [exact(`Yes is: ${answers.allow}`)]),
    ...(answers.refuse === null ? [] : [exact(`No is: ${answers.refuse}`)]),
  ]
}

function subjectLines(subject: RequestSubject): string[] {
  switch (subject.kind) {
    case 'command':
      return indented(subject.command)
    case 'change': {
      const lines = subject.hunks.map(hunk => hunk.map(({ sign, text }) => `  ${sign}${exactText(text)}`))
      const shown = lines.length === 0 ? ['Same content, nothing to show.'] : lines.flatMap(withGap)
      return [...pathLines(subject.paths), ...shown]
    }
    case 'files':
      return pathLines(subject.paths)
    case 'skill':
    case 'arguments':
      return argumentLines(subject.value)
  }
}

/** Hunks are set apart. */
function withGap(lines: readonly string[], at: number): readonly string[] {
  return at === 0 ? lines : ['  ...', ...lines]
}

const pathLines = (paths: readonly string[]): string[] => paths.map(path => `  ${exact(path)}`)

function argumentLines(value: unknown): string[] {
  const named = namedArguments(value)
  if (!named) return indented(askedText(value))
  return named.flatMap(([name, text]) => [`  ${exact(name)}:`].concat(indented(text, '    ')))
}

function fieldLines({ label, about = '', required, choices = [] }: FormField): string[] {
  return [
    `- ${exact(label)}${required ? '' : ' (optional)'}`,
    ...(about === '' ? [] : [`  ${exact(about)}`]),
    ...choices.map(({ label: words, about: more = '' }) => `  * ${exact(more === '' ? words : `${words}: ${more}`)}`),
  ]
}

function indented(text: string, by = '  '): string[] {
  return exactLines(text).map(pieces => `${by}${ofPieces(pieces)}`)
}

/** On one line. */
const exact = (text: string): string => exactText(sanitizeExact(text).replaceAll('\n', String.raw`\n`))
const exactText = (text: string): string => ofPieces(exactPieces(sanitizeExact(text)))
const ofPieces = (pieces: readonly ExactPiece[]): string => pieces.map(({ text }) => text).join('')
