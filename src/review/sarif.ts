/** Findings as SARIF 2.1.0, which forges and editors read. */
import { findingLevels, wordsOf, type ReviewFinding } from './findings/finding.ts'

export type SarifTool = { version: string }

/** A SARIF log with one run. Paths are relative to the top of the sources, with slashes, or absolute. */
export function sarifOf(findings: readonly ReviewFinding[], { version }: SarifTool): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'zotui', version, rules: findingLevels.map(ruleOf) } },
        // Lines end as git and editors count them; columns are not used.
        columnKind: 'utf16CodeUnits',
        results: findings.map(resultOf),
      },
    ],
  }
}

function ruleOf(level: ReviewFinding['level']): object {
  return {
    id: `review/${level}`,
    name: `Review${level.charAt(0).toUpperCase()}${level.slice(1)}`,
    shortDescription: { text: descriptions[level] },
    defaultConfiguration: { level },
  }
}

const descriptions: Readonly<Record<ReviewFinding['level'], string>> = {
  error: 'A mistake that an agent found in a review',
  warning: 'Something that an agent thinks may go wrong',
  note: 'A remark of an agent that reviewed the change',
}

function resultOf(finding: ReviewFinding): object {
  const { level, path, lines, title, text } = finding
  const region = lines && { region: { startLine: lines.from, endLine: lines.to } }
  return {
    ruleId: `review/${level}`,
    ruleIndex: findingLevels.indexOf(level),
    level,
    message: { text: wordsOf(finding), ...(text !== '' && { markdown: `**${escaped(title)}**\n\n${text}` }) },
    locations: [{ physicalLocation: { artifactLocation: artifactOf(path), ...region } }],
  }
}

const escaped = (words: string): string => words.replaceAll(/[\\`*_[\]<>]/g, sign => `\\${sign}`)

function artifactOf(path: string): object {
  const written = path.replaceAll('\\', '/').toWellFormed()
  const uri = written.split('/').map(encodeURIComponent).join('/')
  if (written.startsWith('/')) return { uri: `file://${uri}` }
  if (/^[a-z]:\//i.test(written)) return { uri: `file:///${written.slice(0, 2)}${uri.slice(uri.indexOf('/'))}` }
  return { uri, uriBaseId: '%SRCROOT%' }
}
