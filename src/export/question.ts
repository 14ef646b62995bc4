/**
 * A question that waits, as HTML for somebody who is not at the terminal: all that is decided, in full, since a yes counts for exactly this.
 * The same question always makes the same HTML, so no code is coloured: that depends on what is loaded. The page's style must keep the white
 * space in `bdo`, and wrap its lines.
 */
import type { EventOf } from '../agent/event.ts'
import { questionTitle } from '../conversation/queries/question-title.ts'
import type { DiffLine } from '../text/diff-line.ts'
import { isObject } from '../text/json.ts'
import { sanitizeExact } from '../text/sanitize.ts'
import { describeRequest, type RequestFacts, type RequestSubject } from '../tools/describe-request.ts'
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
  if (!isObject(value)) return codeLines(plainText(value))
  const rows = Object.entries(value).map(
    ([name, each]) => markup`<dt>${exact(name)}</dt><dd>${codeLines(plainText(each))}</dd>`,
  )
  return rows.length === 0 ? markup`` : markup`<dl>${rows}</dl>`
}

const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? String(value))

/** The most empty lines that are shown as they are, and blanks that are not: they would push what follows out of sight. */
const MOST_EMPTY = 2
const LONG_BLANK = /([\p{Zs}\t]{80,})/u

function codeLines(text: string): Markup {
  const pieces: Markup[] = []
  let empty: string[] = []
  const close = (): void => {
    const count = empty.length
    if (count > MOST_EMPTY) pieces.push(markup`<span class="gap">(${String(count)} empty lines)</span>\n`)
    else pieces.push(...empty.map(line => markup`${line}\n`))
    empty = []
  }
  for (const line of sanitizeExact(text).split('\n')) {
    if (line.trim() === '') empty.push(line)
    else {
      close()
      pieces.push(markup`${withoutBlanks(line)}\n`)
    }
  }
  close()
  return markup`<pre class="exact"><code><bdo dir="ltr">${pieces}</bdo></code></pre>`
}

function withoutBlanks(line: string): Markup {
  const parts = line.split(LONG_BLANK)
  const shown = parts.map((part, index) =>
    index % 2 === 0 ? markup`${part}` : markup`<span class="gap">(${String(part.length)} blanks)</span>`,
  )
  return markup`${shown}`
}

/** A text on which the answer depends: hidden characters are visible, and none of it changes places with another, whatever its script is. */
function exact(text: string): Markup {
  return markup`<bdo dir="ltr">${withoutBlanks(sanitizeExact(text))}</bdo>`
}
