/** What the doctor found, as people and programs read it. Pure. */
import { toJson } from '../text/json.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { wrap } from '../text/wrap.ts'

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

export type ReportSection = { title: string; findings: readonly Finding[] }

/** Who must not be told of: folders that are the home, the name of the person, and what takes known secrets out. */
export type Private = { homes: readonly string[]; user: string; redact: (text: string) => string }

/** What is safe to show to anybody, whatever told it: the home as `~`, the person's name in other paths as `<you>`. */
export function safeToShow(sections: readonly ReportSection[], { homes, user, redact }: Private): ReportSection[] {
  const name =
    user === ''
      ? null
      : new RegExp(`(?<=[/\\\\])${user.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)}(?![\\w.-])`, 'g')
  const hide = (text: string): string => {
    const withoutHomes = homes
      .filter(home => home.length > 1)
      .toSorted((a, b) => b.length - a.length)
      .reduce((rest, home) => rest.replaceAll(home, '~'), text)
    return redact(name ? withoutHomes.replace(name, '<you>') : withoutHomes)
  }
  return sections.map(({ title, findings }) => ({
    title: hide(title),
    findings: findings.map(each => ({ ...each, found: hide(each.found), so: hide(each.so) })),
  }))
}

export function isBroken(sections: readonly ReportSection[]): boolean {
  return sections.some(({ findings }) => findings.some(({ state }) => state === 'broken'))
}

const words = { ok: 'ok', warn: 'note', broken: 'BROKEN', unknown: 'unknown' } as const

const STATE = Math.max(...Object.values(words).map(word => word.length))
/** Columns that what was found needs at least beside its name: else it stands below. */
const ROOM = 32

/** As text of so many columns, with the state of each as a word; a line for each where there is room. */
export function reportText(sections: readonly ReportSection[], columns: number, isSpoken = false): string {
  if (isSpoken) return spokenReport(sections)
  const widest = Math.max(...sections.flatMap(({ findings }) => findings.map(({ name }) => name.length)))
  const beside = 2 + STATE + 2 + widest + 2
  const indent = columns - beside < ROOM ? 4 : beside
  return sections
    .map(({ title, findings }) => {
      const lines = findings.flatMap(finding => {
        const name = `  ${words[finding.state].padEnd(STATE)}  ${finding.name}`
        const rest = foundLines(finding, columns - indent)
        if (indent < beside) return [name, ...rest.map(line => ' '.repeat(indent) + line)]
        return rest.map((line, index) => (index === 0 ? name : '').padEnd(indent) + line)
      })
      return [oneLine(sanitize(title)), ...lines].join('\n')
    })
    .join('\n\n')
}

/** The same to be read aloud: nothing stands in columns. */
function spokenReport(sections: readonly ReportSection[]): string {
  return sections
    .map(({ title, findings }) =>
      [
        oneLine(sanitize(title)),
        ...findings.map(finding => `  ${words[finding.state]}, ${finding.name}: ${foundLines(finding, Infinity)[0]}`),
      ].join('\n'),
    )
    .join('\n\n')
}

function foundLines({ found, so }: Finding, width: number): string[] {
  const text = oneLine(sanitize(so === '' ? found : `${found}; ${so}`))
  return width === Infinity ? [text] : wrap(text, Math.max(20, width))
}

/** For programs: the same, with whether anything is broken. */
export function reportJson(sections: readonly ReportSection[]): string {
  return `${toJson({ broken: isBroken(sections), sections }, 2)}\n`
}
