/** `zotui kubernetes` writes a template of a Job, and lists and removes the Jobs of `zotui --on job:TEMPLATE`. */
import { UserError } from '../../../src/platform/errors.ts'
import type { Subcommand } from '../command.ts'

export const command: Subcommand = {
  name: 'kubernetes',
  takes: ['[ACTION]', '[NAME]'],
  words: ['jobs', 'template', 'remove'],
  summary: 'List and remove your Jobs of --on job:TEMPLATE, or write a template.',
  flags: { json: { type: 'boolean', text: 'print JSON' } },
  run: async call => {
    const { listOwnJobs, removeOwnJob, printTemplate } = await import('../../wiring/kubernetes.ts')
    const [action = 'jobs', name = null] = call.words
    if (action === 'template') return printTemplate(name)
    if (action === 'remove') return removeOwnJob(needed(name))
    if (action === 'jobs') return listOwnJobs(name, call.has('json'))
    throw new UserError(`zotui kubernetes has no action "${action}".`, 'There are: jobs, template, remove.', 2)
  },
}

function needed(name: string | null): string {
  if (name !== null) return name
  throw new UserError('The name of the Job is needed.', '`zotui kubernetes jobs` lists them.', 2)
}
