/** `zotui prompts` lists the commands that come from files, and prints one of these files. */
import { homedir } from 'node:os'
import process from 'node:process'
import { shippedCommandsFolder } from '../../../src/config/prompts/shipped-folder.ts'
import { UserError } from '../../../src/platform/errors.ts'
import { folderLabel } from '../../../src/platform/project.ts'
import { commandOf, helpOf } from '../../../src/state/slash.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { print, writeMessage } from '../../standard-streams.ts'
import { promptCommands } from '../../wiring/start/prompt-files.ts'
import type { Subcommand } from '../command.ts'
import { printTable } from '../print-rows.ts'

export const command: Subcommand = {
  name: 'prompts',
  takes: ['[NAME]'],
  summary: 'List the prompt files, or print one.',
  flags: {},
  run: async ({ words: [word = ''] }) => {
    const commands = await promptCommands(process.cwd())
    const name = word.replace(/^\//, '').toLowerCase()
    if (name === '') {
      printTable(commands.map(command => [`/${command.name}`, helpOf(command)].map(cell => oneLine(sanitize(cell)))))
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
  },
}
