/** The items of a to-do list that an agent keeps with a tool, or writes as `- [ ]` lines. */
import type { PlanEntry } from '../../agent/turn-events.ts'
import { lookup } from '../../text/lookup.ts'
import { memberAt } from '../../text/member.ts'

/** The most items of a list, and the most characters of an item. */
const MOST = 200
const LONGEST = 500
/** Characters of a text that is searched. */
const SEARCHED = 200_000

/** Tools that keep a list, by their name without separators: `TodoWrite`, `update_plan`, `task_list`. */
const TOOLS = /todo|checklist|task|plan|steps/i
const LISTS = ['todos', 'items', 'plan', 'steps', 'tasks', 'entries', 'todo']
const TEXTS = ['content', 'text', 'step', 'title', 'task', 'subject', 'name', 'description']
const STATES = ['status', 'state', 'done', 'completed', 'checked']

/** The list in the arguments of a call, or else in its result; null for a call of another kind. */
export function planOfCall(name: string, args: unknown, result: string): PlanEntry[] | null {
  if (!TOOLS.test(name)) return null
  return listIn(args) ?? listIn(valueIn(result)) ?? planOfText(result, LOOSE, 1)
}

/** The last list of a text with at least two items; null without one. */
export function planOfAnswer(text: string): PlanEntry[] | null {
  return planOfText(text, STRICT, 2)
}

/** The last list in what an extension shows, whose lines need no bullet. */
export function planOfDisplay(text: string): PlanEntry[] | null {
  return planOfText(text, LOOSE, 2)
}

function valueIn(text: string): unknown {
  if (text.length > SEARCHED || !/^\s*[[{]/.test(text)) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The text only begins like JSON.
    return null
  }
}

function listIn(value: unknown): PlanEntry[] | null {
  const lists = Array.isArray(value) ? [value] : LISTS.map(key => memberAt(value, key)).filter(Array.isArray)
  const [list] = lists
  if (!list || list.length === 0) return null
  const entries = list.slice(0, MOST).map(entryOf)
  return entries.every(entry => entry !== null) ? entries : null
}

function entryOf(value: unknown): PlanEntry | null {
  if (typeof value === 'string') return value.trim() === '' ? null : { text: shortened(value), status: 'pending' }
  const text = TEXTS.map(key => memberAt(value, key)).find(each => typeof each === 'string' && each.trim() !== '')
  const state = STATES.map(key => memberAt(value, key)).find(each => each !== undefined)
  return typeof text === 'string' ? { text: shortened(text), status: statusOf(state) } : null
}

function statusOf(state: unknown): PlanEntry['status'] {
  if (state === true) return 'completed'
  const word = typeof state === 'string' ? state.toLowerCase().replaceAll(/[^a-z]/g, '') : ''
  if (/^(?:done|completed?|finished|checked)$/.test(word)) return 'completed'
  return /^(?:inprogress|doing|active|current|started|running)$/.test(word) ? 'in_progress' : 'pending'
}

/** A line of a list: with a bullet or a number; in `LOOSE` also without. */
const STRICT = /^\s{0,12}(?:[-*+]|\d{1,3}[.)])\s+\[(?<mark>[ xX~>/-])\]\s+(?<text>\S.*)$/
const LOOSE = /^\s{0,12}(?:(?:[-*+]|\d{1,3}[.)])\s+)?\[(?<mark>[ xX~>/-])\]\s+(?<text>\S.*)$/
const FENCE = /^\s{0,3}(?:```|~~~)/

function planOfText(text: string, item: RegExp, least: number): PlanEntry[] | null {
  if (text.length > SEARCHED || !/\[[ xX]\]/.test(text)) return null
  let list: PlanEntry[] = []
  let last: PlanEntry[] | null = null
  let isCode = false
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode
    const found = isCode ? null : item.exec(line)?.groups
    if (found)
      list.push({
        text: shortened(withoutMarks(found['text'] ?? '')),
        status: lookup(MARKS, found['mark'] ?? ' ') ?? 'pending',
      })
    // Blank lines and indented text below an item belong to the list.
    else if (/^\S/.test(line)) list = []
    if (list.length >= least) last = list
  }
  return last?.slice(0, MOST) ?? null
}

const MARKS: Readonly<Record<string, PlanEntry['status']>> = {
  x: 'completed',
  X: 'completed',
  '~': 'in_progress',
  '>': 'in_progress',
  '/': 'in_progress',
  '-': 'in_progress',
}

/** A list is shown as plain text. */
const withoutMarks = (text: string): string => text.replaceAll(/\*\*|__|`/g, '')

const shortened = (text: string): string => text.trim().slice(0, LONGEST)
