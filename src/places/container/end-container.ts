/** Ends a container that no zotui works in: one that was left by a zotui that was killed, or whose clone has not come back. */
import { UserError } from '../../platform/errors.ts'
import type { PlaceStart } from '../started-place.ts'
import { clonedFolder } from './clone.ts'
import { inspectContainers } from './containers.ts'
import { containerPrograms, engineTrouble } from './engine.ts'
import { openContainerPlace } from './place.ts'
import { runEngine } from '../run-engine.ts'
import { isUsed } from './uses.ts'

/**
 * Resolves to what is left, or what came back, as a sentence; null for nothing.
 *
 * @throws UserError where it is in use, or cannot be ended.
 */
export async function endContainer(name: string, start: Omit<PlaceStart, 'folder'>): Promise<string | null> {
  const { stateFolder, env, signal } = start
  if (isUsed(stateFolder, name)) throw new UserError(`A zotui works in ${name}.`, 'End that one.', 2)
  const folder = clonedFolder(stateFolder, name)
  let problem: UserError | null = null
  for (const program of containerPrograms(env, folder ?? '/')) {
    const [found] = await inspectContainers([name], program, signal)
    if (!found) continue
    // What is new in a clone comes back first.
    if (folder !== null) return comeAndEnd(found.template, name, { ...start, folder })
    const removed = await runEngine(program, { args: ['rm', '--force', name], signal })
    if (removed.how === 'exited' && removed.exitCode === 0) return null
    problem = engineTrouble(found.engine, removed, `remove ${name}`)
  }
  if (problem !== null) throw problem
  const [, template] = /^zotui-(.+)-[0-9a-f]{8}$/.exec(name) ?? []
  if (folder !== null && template !== undefined) return comeAndEnd(template, name, { ...start, folder })
  throw new UserError(`There is no container ${name}.`, '`zotui container list` lists them.', 2)
}

async function comeAndEnd(template: string, name: string, start: PlaceStart): Promise<string | null> {
  return (await openContainerPlace(`container:${template}/${name}`, start)).end()
}
