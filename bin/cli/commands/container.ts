/** `zotui container` writes templates of containers, and lists and ends those that `--on container:TEMPLATE` has started. */
import { dirname } from 'node:path'
import process from 'node:process'
import { userSettingsPath } from '../../../src/config/user-settings-path.ts'
import { clonedFolder, clonesLeft } from '../../../src/places/container/clone.ts'
import { startedContainers, type StartedContainer } from '../../../src/places/container/containers.ts'
import { endContainer } from '../../../src/places/container/end-container.ts'
import { containerPrograms, EngineTrouble } from '../../../src/places/container/engine.ts'
import { containerExample, containerTemplates } from '../../../src/places/container/template.ts'
import { isUsed } from '../../../src/places/container/uses.ts'
import { writeTemplate } from '../../../src/places/template.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { statePath } from '../../../src/storage/log.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import type { Subcommand } from '../command.ts'
import { printJson, printTable } from '../print-rows.ts'

export const command: Subcommand = {
  name: 'container',
  takes: ['[ACTION]', '[NAME]'],
  words: ['list', 'template', 'end'],
  summary: 'Your containers of --on container:TEMPLATE, and a template.',
  flags: { json: { type: 'boolean', text: 'print JSON' } },
  run: async call => {
    const [action = 'list', name] = call.words
    if (action === 'list') return list(call.has('json'))
    if (action === 'end') return end(name)
    if (name === undefined) print(containerExample)
    else print(`${writeTemplate(dirname(userSettingsPath()), containerTemplates, name, exampleOf(name))}\n`)
    return 0
  },
}

const exampleOf = (name: string): string => containerExample.replace('container:NAME', `container:${name}`)

/** Of all engines, and the clones that have not come back. */
async function list(isJson: boolean): Promise<0 | 1> {
  const stateFolder = statePath()
  const found: StartedContainer[] = []
  let failed = false
  for (const program of containerPrograms(process.env, process.cwd())) {
    const each = await startedContainers(program)
    if (!(each instanceof EngineTrouble)) found.push(...each)
    // The client of an engine may be installed without the engine.
    else if (!each.isUnreachable) {
      failed = true
      writeMessage(each.message)
    }
  }
  const rows = found.map(each => ({ ...each, isUsed: isUsed(stateFolder, each.name) }))
  const clones = clonesLeft(stateFolder).filter(name => !found.some(each => each.name === name))
  if (isJson) printJson({ containers: rows, clones })
  else if (rows.length + clones.length === 0) writeMessage('There are no containers of zotui.')
  else {
    const shown = rows.map(({ name, state, isUsed, folder }) => [name, isUsed ? 'in use' : state, folder])
    const left = clones.map(name => [name, 'only its clone', clonedFolder(stateFolder, name) ?? ''])
    printTable([...shown, ...left].map(row => row.map(cell => oneLine(sanitize(cell)))))
  }
  return failed ? 1 : 0
}

async function end(name: string | undefined): Promise<0> {
  if (name === undefined) throw new UserError('Which container?', '`zotui container list` lists them.', 2)
  const stopping = new AbortController()
  process.once('SIGINT', () => stopping.abort())
  const left = await endContainer(name, {
    progress: words => writeMessage(words),
    signal: stopping.signal,
    env: process.env,
    configFolder: dirname(userSettingsPath()),
    stateFolder: statePath(),
  })
  writeMessage(left ?? `Ended ${name}.`)
  return 0
}
