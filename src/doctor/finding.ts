/** The doctor's findings, as text and as JSON. Pure. */
import { toJson } from '../text/json.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { wrap } from '../text/lines/wrap.ts'

export type Finding = {
  /** A few words: `kitty keys`. */
  name: string
  /** `broken` stops zotui from working, `warn` limits it, `ok` is fine, `unknown` could not be determined. */
  state: 'ok' | 'warn' | 'broken' | 'unknown'
  /** The result of the check. */
  found: string
  /** The consequence, or what the user can do; may be empty. */
  so: string
}

export function finding(name: string, state: Finding['state'], found: string, so = ''): Finding {
  return { name, state, found, so }
}

export type ReportSection = { title: string; findings: readonly Finding[] }

/** Private facts to hide: the home folders, the user's name, and a function that masks known secrets. */
export type PrivateFacts = { homes: readonly string[]; user: string; redact: (text: string) => string }

/** Makes a report safe to share: the home becomes `~`, the user's name in other paths `<you>`. */
export function safeToShow(sections: readonly ReportSection[], { homes, user, redact }: PrivateFacts): ReportSection[] {
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
/** The fewest columns for a result next to its name. With fewer it is below the name. */
const ROOM = 32

/** The report as text of this many columns, with each state as a word; one line for each finding where there is room. */
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

/** The report for screen readers, without columns. */
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

/** The report as JSON, with whether anything is broken. */
export function reportJson(sections: readonly ReportSection[]): string {
  return `${toJson({ broken: isBroken(sections), sections }, 2)}\n`
}
