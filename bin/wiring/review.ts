/** `zotui review`: a run of `-p` that may only read, whose answer is a list of findings. */
import { isAbsolute, relative, resolve } from 'node:path'
import process from 'node:process'
import { openRepository } from '../../src/changes/repository.ts'
import { comparedCommit, noRevision } from '../../src/changes/revision.ts'
import { UserError } from '../../src/platform/errors.ts'
import { realPath } from '../../src/platform/real-path.ts'
import type { OutputSchema } from '../../src/print/output-schema.ts'
import { askAgain, askForFindings } from '../../src/review/findings-prompt.ts'
import { findingLevels, isAtLeast, type ReviewFinding, type FindingLevel } from '../../src/review/findings/finding.ts'
import { findingsOf, type AnswerFindings } from '../../src/review/findings/read-answer.ts'
import { reportText, reviewReport } from '../../src/review/report.ts'
import { sarifOf } from '../../src/review/sarif.ts'
import { toJson } from '../../src/text/json.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import type { CommandCall, Starting } from '../cli/command.ts'
import { usage } from '../cli/flag-reading.ts'
import { version } from '../cli/version.ts'
import { print } from '../standard-streams.ts'
import type { PrintModeOptions } from './print.ts'
import { commandPrompt, promptCommands } from './start/prompt-files.ts'

/** The flags that `-p` has, too. */
const PASSED = {
  timeout: 'timeout',
  maxCost: 'max-cost',
  agent: 'agent',
  provider: 'provider',
  model: 'model',
  reasoning: 'reasoning',
  baseUrl: 'base-url',
  cwd: 'cwd',
  on: 'on',
} as const

/** Resolves to the exit code. @throws UserError if nothing was reviewed. */
export async function runReview(call: CommandCall, { parse, run }: Starting): Promise<number> {
  if (call.has('json') && call.has('sarif')) throw usage('--json and --sarif cannot be used together.', 'review')
  const failOn = levelOf(call.value('failOn'))
  const rev = revOf(call.value('rev'))
  const argv = [
    '--print',
    '--permissions=read',
    ...['quiet', 'demo'].flatMap(name => (call.has(name) ? [`--${name}`] : [])),
    ...Object.entries(PASSED).flatMap(([name, flag]) => {
      const value = call.value(name)
      return value === null ? [] : [`--${flag}=${value}`]
    }),
  ]
  const args = await parse(argv)
  const isHere = args.on === null && !args.demo
  if (rev !== null && isHere) await checkRev(rev, resolve(args.cwd ?? process.cwd()))
  const format = call.has('json') ? 'json' : call.has('sarif') ? 'sarif' : 'text'
  let code = 0
  await run(args, argv, {
    prompt: null,
    isPrint: true,
    run: async options => (code = await review(options, { rev, failOn, format })),
  })
  return code
}

type ReviewOrder = { rev: string | null; failOn: FindingLevel | null; format: 'text' | 'json' | 'sarif' }

/** Asks the agent, and prints what it found, also if the run then failed. */
async function review(options: PrintModeOptions, { rev, failOn, format }: ReviewOrder): Promise<number> {
  const { printAnswer } = await import('./print.ts')
  const { folder, store, remote } = options
  const prompt = await reviewPrompt(folder, store.trust() === true, rev)
  let found: AnswerFindings | null = null
  const read = (answer: string): AnswerFindings | null => {
    const all = findingsOf(answer)
    return all && { ...all, findings: all.findings.map(finding => within(finding, remote ? null : folder)) }
  }
  const onAnswer = (answer: string): void => void (found = read(answer))
  try {
    const code = await printAnswer({
      ...options,
      prompt,
      mentioning: '',
      outputSchema: asSchema(),
      jsonWriter: null,
      onAnswer,
    })
    return code === 0 || code === REFUSED ? (isBad() ? 1 : code) : code
  } finally {
    if (found) print(written(found, rev, format))
  }

  function isBad(): boolean {
    return failOn !== null && (found?.findings ?? []).some(({ level }) => isAtLeast(level, failOn))
  }
}

/** The exit code if calls were refused, since nobody was there to allow them. */
const REFUSED = 3

function written(found: AnswerFindings, rev: string | null, format: ReviewOrder['format']): string {
  // Findings that were read from the text stand in it already.
  const summary = found.isJson ? found.prose : ''
  if (format === 'json') return `${toJson(reviewReport(rev, summary, found), 2)}\n`
  return format === 'sarif' ? `${toJson(sarifOf(found.findings, { version }), 2)}\n` : reportText(summary, found)
}

/** An answer is a review if findings can be read in it. */
function asSchema(): OutputSchema {
  return {
    instruction: askForFindings(),
    check: answer => (findingsOf(answer) ? { ok: true, json: answer } : { ok: false, problems: [NO_FINDINGS] }),
    correction: askAgain,
    unfit: 'The review cannot be read.',
  }
}

const NO_FINDINGS =
  'The answer has no findings, and does not say in JSON that there are none. `zotui show last` prints it.'

/** The prompt of `/review`. Nobody has answered for a file of the project until the user trusts the project. */
async function reviewPrompt(folder: string, isTrusted: boolean, rev: string | null) {
  const commands = await promptCommands(folder)
  const command = commands.find(
    ({ name, aliases, isOfProject }) =>
      [name, ...aliases].some(each => REVIEW.has(each)) && (isTrusted || isOfProject !== true),
  )
  if (!command) throw new UserError('There is no prompt file for /review.', '`zotui prompts` lists them.')
  return { ...(await commandPrompt(command, rev ?? '')), typed: `/review${rev === null ? '' : ` ${rev}`}`, images: [] }
}

/** Its short name is that of the project's file, if there is one. */
const REVIEW: ReadonlySet<string> = new Set(['review', 'user:review', 'zotui:review'])

/** The finding with its path relative to the folder, where it is in it. */
function within(finding: ReviewFinding, folder: string | null): ReviewFinding {
  if (folder === null) return finding
  const path = relative(folder, resolve(folder, finding.path))
  const real = isAbsolute(finding.path) && path.startsWith('..') ? relative(realPath(folder), finding.path) : path
  const isOutside = real === '' || real.startsWith('..') || isAbsolute(real)
  return { ...finding, path: isOutside ? finding.path : real.replaceAll('\\', '/') }
}

/** @throws UserError with exit code 2 for a level that is none. */
function levelOf(typed: string | null): FindingLevel | null {
  if (typed === null || typed === 'never') return null
  const level = findingLevels.find(each => each === typed)
  if (level === undefined)
    throw usage(`--fail-on needs ${findingLevels.join(', ')} or never, not "${typed}".`, 'review')
  return level
}

/** @throws UserError with exit code 2 for what cannot name a revision, a range or a pull request. */
function revOf(typed: string | null): string | null {
  const rev = typed?.trim() ?? null
  if (rev === null) return null
  const shown = oneLine(sanitize(rev))
  if (/^[^-\s][^\s]{0,300}$/.test(rev) && shown === rev) return rev
  throw usage(`--rev needs a branch, a tag, a commit, a range or #12, not "${shown}".`, 'review')
}

/** @throws UserError with exit code 2 for a revision that git does not know here. */
async function checkRev(rev: string, folder: string): Promise<void> {
  if (/^#?\d+$/.test(rev) || /^https?:\/\//.test(rev)) return
  const opened = await openRepository({ folder, env: process.env, limit: GIT_LIMIT })
  if (!opened.ok && opened.why !== 'none' && opened.why !== 'failed') return
  for (const each of rev.split(/\.{2,3}/)) {
    const commit = each === '' ? 'HEAD' : each
    const compared = opened.ok ? await comparedCommit(opened.value, commit) : { ok: false, why: noRevision(commit) }
    if (!compared.ok) throw new UserError(oneLine(sanitize(compared.why)), '', 2)
  }
}

/** Milliseconds for git to look a name up. */
const GIT_LIMIT = 10_000
