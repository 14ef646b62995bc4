/**
 * A question that waits, as HTML for somebody who is not at the terminal: all that is decided, in full, since a yes counts for exactly this.
 * The same question always makes the same HTML, so no code is coloured: that depends on what is loaded. The page's style must keep the white
 * space in `bdo`, and wrap its lines.
 */
import type { EventOf } from '../agent/event.ts'
import { questionTitle } from '../conversation/queries/question-title.ts'
import type { DiffLine } from '../text/diff-line.ts'
import { sanitizeExact } from '../text/sanitize.ts'
import { describeRequest, type RequestFacts, type RequestSubject } from '../tools/describe-request.ts'
import { askedText, exactLines, exactPieces, namedArguments, type ExactPiece } from './exact-lines.ts'
import { richText } from './html-text.ts'
import { markup, type Markup } from './markup.ts'

export type ShownQuestion =
  | {
      kind: 'call'
      facts: RequestFacts
      /** Where it runs, as it is shown. */
      folder: string
      /** The subagent that asks; null for the agent itself. */
      asker: string | null
      /** The agent's own names of a yes and a no; null where it has none. */
      answers: { allow: string | null; refuse: string | null }
    }
  | { kind: 'form'; form: EventOf<'question_asked'>; asker: string | null }
  | { kind: 'plan'; text: string }

export function questionHtml(question: ShownQuestion): string {
  switch (question.kind) {
    case 'call':
      return callMarkup(question).source
    case 'form':
      return formMarkup(question).source
    case 'plan':
      return markup`<div class="question plan"><p class="asks">Continue with this plan?</p>${richText(question.text)}</div>`
        .source
  }
}

function callMarkup({ facts, folder, asker, answers }: Extract<ShownQuestion, { kind: 'call' }>): Markup {
  const { title, subject, around, dangers, wants, reason } = describeRequest(facts)
  const asks = questionTitle(facts.request, facts.paths)
  const names = [
    ...(answers.allow === null ? [] : [markup`<p class="note">Yes is: ${exact(answers.allow)}</p>`]),
    ...(answers.refuse === null ? [] : [markup`<p class="note">No is: ${exact(answers.refuse)}</p>`]),
  ]
  return markup`<div class="question call"><p class="asks">${exact(asker === null ? asks : `${asker}: ${asks}`)}</p>${list('dangers', dangers)}${title === null ? markup`` : markup`<p class="title">${exact(title)}</p>`}${subjectMarkup(subject)}${list('around', around)}<p class="note">in ${exact(folder)}</p>${list('wants', wants)}${reason === '' ? markup`` : markup`<p class="note">${exact(reason)}</p>`}${names}</div>`
}

function formMarkup({ form, asker }: Extract<ShownQuestion, { kind: 'form' }>): Markup {
  return markup`<div class="question form"><p class="asks">${exact(`${asker ?? 'The agent'} asks you`)}</p>${codeLines(form.message)}</div>`
}

function list(name: 'dangers' | 'around' | 'wants', lines: readonly string[]): Markup {
  const rows = lines.map(line => markup`<li>${exact(line)}</li>`)
  return rows.length === 0 ? markup`` : markup`<ul class="${name}">${rows}</ul>`
}

function subjectMarkup(subject: RequestSubject): Markup {
  switch (subject.kind) {
    case 'command':
      return codeLines(subject.command)
    case 'change':
      return markup`${pathList(subject.paths)}${changeMarkup(subject.hunks)}`
    case 'files':
      return pathList(subject.paths)
    case 'skill':
    case 'arguments':
      return argumentsMarkup(subject.value)
  }
}

function pathList(paths: readonly string[]): Markup {
  const rows = paths.map(path => markup`<li>${exact(path)}</li>`)
  return rows.length === 0 ? markup`` : markup`<ul class="paths">${rows}</ul>`
}

const SIGNS: Readonly<Record<DiffLine['sign'], string>> = { '+': 'added', '-': 'removed', ' ': 'same' }

/** The style sheet of the page has the signs. */
function changeMarkup(hunks: readonly (readonly DiffLine[])[]): Markup {
  if (hunks.length === 0) return markup`<p class="note">Same content, nothing to show.</p>`
  const parts = hunks.map(hunk => {
    const rows = hunk.map(({ sign, text }) => markup`<span class="row ${SIGNS[sign]}">${exact(text)}</span>`)
    return markup`<pre class="diff"><code>${rows}</code></pre>`
  })
  return markup`${parts}`
}

/** Each argument below its name, nothing cut. */
function argumentsMarkup(value: unknown): Markup {
  const named = namedArguments(value)
  if (!named) return codeLines(askedText(value))
  const rows = named.map(([name, text]) => markup`<dt>${exact(name)}</dt><dd>${codeLines(text)}</dd>`)
  return rows.length === 0 ? markup`` : markup`<dl>${rows}</dl>`
}

function codeLines(text: string): Markup {
  const lines = exactLines(text).map(pieces => markup`${piecesMarkup(pieces)}\n`)
  return markup`<pre class="exact"><code><bdo dir="ltr">${lines}</bdo></code></pre>`
}

function piecesMarkup(pieces: readonly ExactPiece[]): Markup {
  const shown = pieces.map(({ text, isGap }) => (isGap ? markup`<span class="gap">${text}</span>` : markup`${text}`))
  return markup`${shown}`
}

/** A text on which the answer depends: hidden characters are visible, and none of it changes places with another, whatever its script is. */
function exact(text: string): Markup {
  return markup`<bdo dir="ltr">${piecesMarkup(exactPieces(sanitizeExact(text)))}</bdo>`
}
