/** What the doctor found, as people and programs read it. Pure. */
import { padTo } from '../text/width.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'

export type Finding = {
  /** A few words: `kitty keys`. */
  name: string
  /** `broken` keeps zotui from its work, `warn` takes something away, `ok` is as it should be, `unknown` was not found out. */
  state: 'ok' | 'warn' | 'broken' | 'unknown'
  /** What is there. */
  found: string
  /** What zotui does because of it, or what the person can do; may be empty. */
  so: string
}

export type Section = { title: string; findings: readonly Finding[] }

/** What is safe to show to anybody: the home as `~`, whatever told it. */
export function withoutHome(sections: readonly Section[], home: string): Section[] {
  const hide = (text: string): string => (home.length > 1 ? text.replaceAll(home, '~') : text)
  return sections.map(({ title, findings }) => ({
    title,
    findings: findings.map(each => ({ ...each, found: hide(each.found), so: hide(each.so) })),
  }))
}

export function isBroken(sections: readonly Section[]): boolean {
  return sections.some(({ findings }) => findings.some(({ state }) => state === 'broken'))
}

const words = { ok: 'ok', warn: 'note', broken: 'BROKEN', unknown: '-' } as const

/** As text: a line for each, with the state as a word. */
export function reportText(sections: readonly Section[]): string {
  const widest = Math.max(...sections.flatMap(({ findings }) => findings.map(({ name }) => name.length)))
  return sections
    .map(({ title, findings }) => {
      const lines = findings.map(({ name, state, found, so }) => {
        const why = so === '' ? '' : `; ${so}`
        return oneLine(sanitize(`  ${padTo(sanitize(words[state]), 6)}  ${name.padEnd(widest)}  ${found}${why}`))
      })
      return [oneLine(sanitize(title)), ...lines].join('\n')
    })
    .join('\n\n')
}

/** For programs: the same, with whether anything is broken. */
export function reportJson(sections: readonly Section[]): string {
  return `${JSON.stringify({ broken: isBroken(sections), sections }, null, 2)}\n`
}
