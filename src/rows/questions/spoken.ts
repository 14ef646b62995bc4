/** A question in words, for people who use a screen reader: its subject, the dangers and the numbered answers. */
import type { CallContent, QuestionContent, QuestionView } from '../../state/question.ts'
import { keyed, type KeyNames } from '../../text/key-hints.ts'
import { linesOf, literal, oneLine, sanitize, sanitizeExact, type SafeText } from '../../text/sanitize.ts'
import { yamlLines } from '../../tools/panel/yaml.ts'
import { readPatch } from '../../tools/diff/patch.ts'
import { reasonOf, surroundings, titleBeside } from './call-facts.ts'

/** The lines to say when the question has changed from one to the other. */
export function spokenQuestion(before: QuestionView | null, now: QuestionView | null, names: KeyNames): SafeText[] {
  if (!now) return before ? [sanitize('answered')] : []
  const isNew = before?.id !== now.id
  const isNewStep = isNew || before.title !== now.title || before.answers.length !== now.answers.length
  const isChanged =
    !isNew && (changedCommand(before.content) !== changedCommand(now.content) || isAnswered(before, now))
  if (isNewStep || isChanged || (before.typed === null) !== (now.typed === null)) {
    return [
      ...(isNew || isChanged ? contentWords(now) : []),
      ...(now.typed ? [sanitize(now.typed.label)] : answerWords(now, names)),
    ]
  }
  if (now.typed) return []
  if (before.selected === now.selected) return now.isArmed && !before.isArmed ? [sanitize('answer now')] : []
  return now.answers.slice(now.selected, now.selected + 1).map(answer => numbered(answer, now.selected))
}

function isAnswered({ content: before }: QuestionView, { content: now }: QuestionView): boolean {
  return before.kind === 'side' && now.kind === 'side' && !before.isOver && now.isOver
}

function changedCommand(content: QuestionContent): string | null {
  return content.kind === 'call' ? content.changed : null
}

function contentWords({ title, content }: QuestionView): SafeText[] {
  const head = oneLine(sanitizeExact(title))
  if (content.kind === 'mode') {
    const { folder, call } = content
    return [head, literal`In ${oneLine(sanitizeExact(folder))} it asks for ${oneLine(sanitizeExact(call))}`]
  }
  if (content.kind === 'plan') return [head, ...(content.text === null ? [] : linesOf(sanitize(content.text)))]
  if (content.kind === 'side') {
    const texts = content.isOver ? [content.answer, ...content.facts] : []
    return [head, ...[content.question, ...texts].flatMap(text => (text === '' ? [] : linesOf(sanitize(text))))]
  }
  if (content.kind === 'form') {
    const { message, label, about } = content
    return [head, ...[message, label, about].flatMap(text => (text === '' ? [] : linesOf(sanitizeExact(text))))]
  }
  const { others, at, dangers } = content
  const why = reasonOf(content)
  return [
    others.length === 0 ? head : literal`${head} Question ${at} of ${others.length + 1}`,
    ...titleBeside(content).map(text => oneLine(sanitizeExact(text))),
    ...callWords(content),
    ...dangers.map(danger => literal`Danger: ${oneLine(sanitizeExact(danger))}`),
    ...(why === '' ? [] : [why]),
  ]
}

function callWords(content: CallContent): SafeText[] {
  const { request, changed, paths } = content
  const around = surroundings(content).map(text => oneLine(sanitizeExact(text)))
  const command = changed ?? request.command
  if (command !== undefined) return [...linesOf(sanitizeExact(command)), ...around]
  const names = paths.map(path => oneLine(sanitizeExact(path)))
  if (request.diff !== undefined) {
    const rows = readPatch(request.diff).flat()
    return [...names, ...rows.map(({ sign, text }) => literal`${sanitize(SIGNS[sign])}${oneLine(sanitizeExact(text))}`)]
  }
  if (request.kind === 'read' && names.length > 0) return names
  return [...yamlLines(request.arguments, ' ')].map(line => oneLine(sanitizeExact(line)))
}

const SIGNS = { '+': 'added: ', '-': 'removed: ', ' ': '' } as const

function answerWords({ title, answers }: QuestionView, names: KeyNames): SafeText[] {
  const keys = keyed(names, ', or {question.up} and {question.down} and {question.take}')
  return [
    ...(answers.some(({ move }) => move === 'leave') ? [] : [oneLine(sanitizeExact(title))]),
    ...answers.map((answer, index) => numbered(answer, index)),
    sanitize(`Number${keys}.`),
  ]
}

function numbered({ label, detail, warning }: QuestionView['answers'][number], index: number): SafeText {
  const words = [label, detail, warning ?? ''].filter(part => part !== '').join(', ')
  return literal`${index + 1}. ${oneLine(sanitizeExact(words))}`
}
