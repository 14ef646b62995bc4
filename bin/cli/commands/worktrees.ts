/** `zotui worktrees` lists the git worktrees of a project's conversations, and removes those that are no longer needed. */
import process from 'node:process'
import { lossText, worktreeState } from '../../../src/commands/program/worktrees/worktree-words.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { statePath } from '../../../src/storage/log.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { isNothing } from '../../../src/worktrees/discard.ts'
import type { ListedWorktree } from '../../../src/worktrees/list.ts'
import { createWorktrees, type WorktreeAnswer, type Worktrees } from '../../../src/worktrees/worktrees.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import type { Subcommand } from '../command.ts'
import { printJson } from '../print-rows.ts'

export const command: Subcommand = {
  name: 'worktrees',
  takes: ['[ACTION]'],
  words: ['list', 'clean'],
  summary: 'List the git worktrees of conversations here, and remove those without work.',
  flags: { json: { type: 'boolean', text: 'print JSON' } },
  run: async call => {
    const [action = 'list'] = call.words
    const worktrees = createWorktrees({ stateFolder: statePath(), env: process.env, now: Date.now })
    const found = need(await worktrees.list(process.cwd()))
    return action === 'clean' ? clean(worktrees, found, call.has('json')) : list(found, call.has('json'))
  },
}

function list(found: readonly ListedWorktree[], isJson: boolean): 0 {
  if (isJson) printJson(found.map(({ worktree, ...state }) => ({ ...worktree, ...state })))
  else if (found.length === 0) writeMessage('This project has no worktrees.')
  else
    for (const each of found) {
      const used = each.isUsed ? ', in use' : ''
      const { branch, folder } = each.worktree
      print(`${oneLine(sanitize(branch))}  ${worktreeState(each, Date.now())}${used}  ${oneLine(sanitize(folder))}\n`)
    }
  return 0
}

/** Removes those that no conversation works in and that nothing is lost with. */
async function clean(worktrees: Worktrees, found: readonly ListedWorktree[], isJson: boolean): Promise<0 | 1> {
  const [removed, kept, failed]: [string[], string[], string[]] = [[], [], []]
  for (const { worktree, isUsed } of found) {
    const loss = isUsed ? null : await worktrees.loss(worktree)
    if (loss === null || !isNothing(loss)) {
      kept.push(`${worktree.branch} stays: ${loss === null ? 'it is in use' : lossText(loss, 'would')}.`)
      continue
    }
    const done = await worktrees.discard(worktree)
    if (done.ok) removed.push(worktree.branch)
    else failed.push(`${worktree.branch} was not removed: ${done.why}.`)
  }
  if (isJson) printJson({ removed })
  else writeMessage(`Removed ${removed.length} of ${found.length} worktrees.`)
  for (const line of isJson ? failed : [...kept, ...failed]) writeMessage(oneLine(sanitize(line)))
  return failed.length === 0 ? 0 : 1
}

function need<Value>(answer: WorktreeAnswer<Value>): Value {
  if (!answer.ok) throw new UserError(`There are no worktrees: ${answer.why}.`)
  return answer.value
}
