/** `zotui prompts` lists the commands that come from files, and prints one of these files. */
import { homedir } from 'node:os'
import process from 'node:process'
import { shippedCommandsFolder } from '../../../src/config/prompts/shipped-folder.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { folderLabel } from '../../../src/platform/project.ts'
import { commandOf, helpOf } from '../../../src/state/slash.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth, padTo } from '../../../src/text/lines/width.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import { promptCommands } from '../../wiring/start/prompt-files.ts'
import type { RunCommand } from '../commands.ts'

export const run: RunCommand = async ({ words: [word = ''] }) => {
  const commands = await promptCommands(process.cwd())
  const name = word.replace(/^\//, '').toLowerCase()
  if (name === '') {
    const width = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
    const names = commands.map(command => oneLine(sanitize(`/${command.name}`)))
    const widest = Math.max(0, ...names.map(each => displayWidth(each)))
    for (const [at, command] of commands.entries())
      print(`${truncate(`${padTo(names[at] ?? '', widest)}  ${oneLine(sanitize(helpOf(command)))}`, width)}\n`)
    const shipped = shippedCommandsFolder()
    if (shipped !== null) writeMessage(`zotui's own are in ${folderLabel(shipped, homedir())}.`)
    return 0
  }
  const command = commandOf(name, commands)
  if (command?.kind !== 'prompt' || !command.source)
    throw new UserError(`There is no prompt file for /${oneLine(sanitize(name))}.`, '`zotui prompts` lists them.')
  const source = await command.source()
  if (!source.ok) throw new UserError(`/${command.name} ${source.reason}.`)
  print(source.text.endsWith('\n') ? source.text : `${source.text}\n`)
  return 0
}
