/**
 * Checks the questions of a process before a browser gets them. Any program of this user can publish a record, so also a command of an agent:
 * its HTML may contain only what `export/markup.ts` makes.
 */
import { createHash } from 'node:crypto'
import { digestedText } from '../../published/digested-text.ts'
import type { ServedQuestion } from '../../published/protocol.ts'

/** Characters of a question that are passed on, and the number of questions of a conversation. */
const LONGEST = 2_000_000
const MOST = 50

const TAGS =
  'a|article|b|bdo|blockquote|br|button|code|dd|del|details|div|dl|dt|em|figure|figcaption|h2|h3|h4|hr|i|ins|kbd|li|mark|ol|p|pre|s|section|span|strong|summary|table|tbody|td|th|thead|time|tr|ul'
const VALUE = '"[^"<>]*"'
const ATTRIBUTES = [
  `(?:class|dir|title|lang|datetime|start|role|aria-label|aria-hidden|data-rest)=${VALUE}`,
  'open',
  'href="(?:https?|mailto):[^"<>]*"',
  'rel="noopener noreferrer"',
  'type="button"',
].join('|')
const PIECES = new RegExp(`<(?:/(?:${TAGS})|(?:${TAGS})(?: (?:${ATTRIBUTES}))*(?: ?/)?)>|[^<>]+`, 'gy')

/** Whether HTML has nothing but the elements and attributes of our own pages. */
export function isPlainHtml(html: string): boolean {
  PIECES.lastIndex = 0
  let end = 0
  while (end < html.length) {
    if (!PIECES.test(html)) return false
    end = PIECES.lastIndex
  }
  return true
}

const isPlain = ({ html }: ServedQuestion): boolean => isPlainHtml(html) && !html.includes('<button')

/** Null if one of them is none that zotui makes. A question has no buttons: only those of the page around it answer. */
export function checkedQuestions(questions: readonly ServedQuestion[]): readonly ServedQuestion[] | null {
  if (questions.some(question => !isPlain(question) || question.digest !== hashOf(digestedText(question)))) return null
  return questions
    .slice(0, MOST)
    .map(question => asShown(question.html.length <= LONGEST ? question : tooLong(question)))
}

/** A browser shows the HTML. */
function asShown(question: ServedQuestion): ServedQuestion {
  return { ...question, text: '', textDigest: '' }
}

/** What cannot be shown cannot be answered. */
function tooLong(question: ServedQuestion): ServedQuestion {
  const note = 'It is too long to be shown here: answer it in the terminal.'
  return { ...question, html: '', digest: hashOf(''), answers: [], note, fields: [] }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
