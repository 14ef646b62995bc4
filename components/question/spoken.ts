/** A question in words, for people who use a screen reader: its subject, the dangers and the numbered answers. */
import type { QuestionContent, QuestionView } from '../../src/state/question.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { linesOf, literal, oneLine, sanitize, sanitizeExact, type SafeText } from '../../src/text/sanitize.ts'
import { yamlLines } from '../../src/tools/panel/yaml.ts'
import { describeRequest, type RequestSubject } from '../../src/tools/describe-request.ts'
import { NOTHING_CHANGES } from './call-facts.ts'
import { namesAll } from './content.ts'

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
  const { others, at } = content
  const { title: own, subject, around, dangers, wants, reason } = describeRequest(content)
  return [
    others.length === 0 ? head : literal`${head} Question ${at} of ${others.length + 1}`,
    ...(own === null || namesAll(head, own) ? [] : [line(own)]),
    ...subjectWords(subject, head),
    ...around.map(line),
    ...dangers.map(danger => literal`Danger: ${line(danger)}`),
    ...[...wants, reason].filter(words => words !== '').map(line),
  ]
}

const line = (text: string): SafeText => oneLine(sanitizeExact(text))

function subjectWords(subject: RequestSubject, title: string): SafeText[] {
  const isNamed = 'paths' in subject && subject.paths.length === 1 && namesAll(title, subject.paths[0])
  const paths = 'paths' in subject && !isNamed ? subject.paths.map(line) : []
  switch (subject.kind) {
    case 'command':
      return linesOf(sanitizeExact(subject.command))
    case 'change': {
      const rows = subject.hunks.flat().map(({ sign, text }) => literal`${sanitize(SIGNS[sign])}${line(text)}`)
      return [...paths, ...(rows.length === 0 ? [sanitize(NOTHING_CHANGES)] : rows)]
    }
    case 'files':
      return paths
    case 'skill':
      // The question names it.
      return []
    case 'arguments':
      return Array.from(yamlLines(subject.value, ' '), line)
  }
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
