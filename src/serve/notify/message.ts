/** What a notification says. Unless the person wants more, it has the name of the folder and nothing of the conversation. Pure. */
import { beginningOf } from '../../text/lines/head-and-tail.ts'
import { truncate } from '../../text/lines/shorten.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { DueNotice } from './due-notices.ts'

/** As the page's service worker gets it, and a command of the person on its input. All texts are sanitised, and one line each. */
export type NotificationMessage = {
  version: 1
  kind: 'question' | 'ended'
  /** `zotui`. */
  title: string
  body: string
  /** As in the list of the page: a later notification takes the place of one with the same. */
  conversation: string
  /** What follows the address of the page, which then shows that conversation, and opens the question if it is one: `#/c/ID/q/QUESTION`. */
  place: string
}

/** Columns: a screen that is locked shows fewer. */
const LONGEST = 240
const LONGEST_NAME = 80
/** Characters, since some take no column. With an ID it has to fit into one push. */
const MOST_CHARACTERS = 400
const LONGEST_ID = 100

export function messageOf(notice: DueNotice, hasContent: boolean): NotificationMessage {
  const { conversation, questions, ended } = notice
  const [first] = questions
  const about = hasContent ? contentOf(notice) : ''
  const words = first ? waits(notice) : ended === 'failed' ? 'a turn has failed' : 'a turn has ended'
  const body = `${words} in ${shortText(folderName(notice.folder), LONGEST_NAME)}${about === '' ? '' : `: ${about}`}`
  return {
    version: 1,
    kind: first ? 'question' : 'ended',
    title: 'zotui',
    body: shortText(body, LONGEST),
    conversation,
    place: placeOf(notice),
  }
}

function placeOf({ conversation, questions }: DueNotice): string {
  const [id] = questions.map(question => question.id)
  const isOne = questions.length === 1 && id !== undefined && id.length <= LONGEST_ID
  const parts = isOne ? ['c', conversation, 'q', id] : ['c', conversation]
  return `#/${parts.map(part => encodeURIComponent(part.toWellFormed())).join('/')}`
}

function waits({ questions }: DueNotice): string {
  const [first] = questions
  if (questions.length > 1) return `${questions.length} questions wait`
  return first?.kind === 'plan' ? 'a plan waits' : 'a question waits'
}

function contentOf({ questions, title }: DueNotice): string {
  return [...questions.map(question => question.title), title]
    .map(text => shortText(text, LONGEST))
    .filter(text => text !== '')
    .join('; ')
}

/** The last part of a path of any system. */
function folderName(folder: string): string {
  return folder.split(/[/\\]/).findLast(part => part !== '') ?? folder
}

function shortText(text: string, columns: number): string {
  return truncate(oneLine(sanitize(beginningOf(text, MOST_CHARACTERS))), columns)
}
