/** What `zotui kubernetes` does. */
import { dirname } from 'node:path'
import process from 'node:process'
import { userSettingsPath } from '../../src/config/user-settings-path.ts'
import { findEngine, runEngine } from '../../src/places/run-engine.ts'
import {
  ownJobs,
  ownTemplates,
  removeOwn,
  stateWords,
  templateOfJob,
  type OwnJob,
  type OwnJobsOf,
} from '../../src/places/job/own-jobs.ts'
import { jobTemplateText } from '../../src/places/job/template-text.ts'
import { jobTemplates } from '../../src/places/job/template.ts'
import { writeTemplate } from '../../src/places/template.ts'
import { messageOf, UserError } from '../../src/platform/errors.ts'
import { statePath } from '../../src/storage/log.ts'
import { formatDuration } from '../../src/text/format.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { printJson, printTable } from '../cli/print-rows.ts'
import { print, writeMessage } from '../standard-streams.ts'

const ownOf = (): OwnJobsOf => ({
  configFolder: dirname(userSettingsPath()),
  stateFolder: statePath(),
  env: process.env,
  folder: process.cwd(),
})

/** Prints the template, or writes it where a name is given. */
export async function printTemplate(name: string | null): Promise<0> {
  const text = jobTemplateText(await currentContext())
  if (name === null) print(sanitize(text))
  else print(`${writeTemplate(ownOf().configFolder, jobTemplates, name, text)}\n`)
  return 0
}

/** The context that kubectl would use now: the person sees it in the template and may change it. */
async function currentContext(): Promise<string | null> {
  const engine = findEngine('kubectl', process.env, process.cwd())
  if (engine === null) return null
  const { exitCode, output } = await runEngine(engine, { args: ['config', 'current-context'], limit: 10_000 })
  const context = output.trim()
  return exitCode === 0 && context !== '' && !context.includes('\n') ? context : null
}

/** Lists those of one template, or of all. A cluster that does not answer hides no others. */
export async function listOwnJobs(template: string | null, isJson: boolean): Promise<0 | 1> {
  const names = template === null ? ownTemplates(ownOf().configFolder) : [template]
  const found: OwnJob[] = []
  let failed = false
  const all = await Promise.allSettled(names.map(name => ownJobs(name, ownOf())))
  for (const each of all) {
    if (each.status === 'fulfilled') found.push(...each.value)
    else {
      failed = true
      writeMessage(oneLine(sanitize(messageOf(each.reason))))
    }
  }
  if (isJson) printJson(found)
  else if (found.length > 0) printTable(found.map(cellsOf))
  else if (!failed) writeMessage('You have no Jobs.')
  return failed ? 1 : 0
}

function cellsOf({ template, job, state, since }: OwnJob): string[] {
  const age = since === null ? '' : formatDuration(Math.max(0, Date.now() - since))
  return [`job:${template}/${job}`, age, oneLine(sanitize(stateWords(state)))]
}

/** `word` is the name of a Job, or the value of `--on` that comes back to it. */
export async function removeOwnJob(word: string): Promise<0 | 1> {
  const job = word.slice(word.lastIndexOf('/') + 1)
  const template = templateOfJob(job)
  const found = template === null ? [] : await ownJobs(template, ownOf())
  const own = found.find(each => each.job === job)
  if (!own) throw new UserError(`You have no Job ${job}.`, '`zotui kubernetes jobs` lists them.', 2)
  const left = await removeOwn(own, ownOf())
  writeMessage(oneLine(sanitize(left === null ? `Removed ${job}.` : `${job} was not removed: ${left}.`)))
  return left === null ? 0 : 1
}
