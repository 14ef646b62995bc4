/** A passage of a session as a quote in a prompt. */
import type { FoundPassage } from '../../storage/find/passage.ts'
import { truncate } from '../../text/lines/shorten.ts'
import { dayOf } from '../../usage/days.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'

const WHAT: Readonly<Record<FoundPassage['kind'], string>> = {
  prompt: 'a prompt',
  answer: 'an answer',
  command: 'a command',
  result: 'a result',
  diff: 'a change',
  file: 'a file name',
}

/** Columns of a title. */
const LONGEST_TITLE = 60

/** Lines that a model takes for a quote, with where they are from. */
export function quoteOf({ excerpt, kind, title, place }: FoundPassage): string {
  const named = title === '' ? place.session : `"${truncate(title, LONGEST_TITLE)}"`
  const from = `From ${WHAT[kind]} in the session ${named}, ${dayOf(place.at)}:`
  return `${oneLine(sanitize(from))}\n> ${oneLine(sanitize(excerpt))}\n`
}
