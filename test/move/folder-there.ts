/** A folder that has gone to the other machine of a stage, and in which an agent has worked there. */
import { join } from 'node:path'
import { carryAway, prepareAway } from '../../src/move/away.ts'
import type { MoveRecord } from '../../src/move/record.ts'
import { moveStage, type MoveStage } from './stage.ts'

export const how = (stage: MoveStage) => ({ progress: () => undefined, signal: stage.stopping.current.signal })

/** A repository with two commits, and a file that is not committed. */
export function begun(): MoveStage {
  const stage = moveStage()
  const { folder, git, write } = stage
  write(join(folder, 'old.txt'), 'old\n')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'second')
  write(join(folder, 'mine.txt'), 'uncommitted here\n')
  return stage
}

/** Takes the folder there. Resolves to what is known of that here. */
export async function gone(stage: MoveStage): Promise<MoveRecord> {
  const prepared = await prepareAway(stage, stage)
  const { top, folder, branch } = await carryAway(stage, prepared, how(stage))
  await prepared.end()
  const { look, pack, id } = prepared
  return {
    id,
    machine: 'ssh:far',
    there: { folder, top, branch },
    folder: stage.folder,
    top: look.top,
    branch: look.branch,
    head: look.head,
    commit: pack.commit,
    tree: pack.tree,
    at: 0,
    bringing: null,
  }
}

/** The agent there has committed one file, changed one, deleted one, and left one new. */
export function work({ folderThere, git, write }: MoveStage): void {
  write(join(folderThere, 'c.txt'), 'committed there\n')
  git(folderThere, 'add', 'c.txt')
  git(folderThere, 'commit', '-q', '-m', 'there', 'c.txt')
  write(join(folderThere, 'a.txt'), 'changed there\n')
  git(folderThere, 'rm', '-q', '--cached', 'old.txt')
  write(join(folderThere, 'new.txt'), 'new there\n')
}
