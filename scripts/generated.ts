/** The files that are made of the tables in the sources: what stands in them is written here and nowhere else. */
import { commands, synopsis } from '../bin/cli/commands.ts'
import { bashScript } from '../bin/cli/completion/bash.ts'
import { fishScript } from '../bin/cli/completion/fish.ts'
import { completableCommands } from '../bin/cli/completion/words.ts'
import { zshScript } from '../bin/cli/completion/zsh.ts'
import { flagsByGroup, written } from '../bin/cli/flags.ts'
import { slashCommands } from '../src/state/slash.ts'
import {
  describeSetting,
  defaultSettings,
  settingNames,
  settingsFileSchema,
  untrustedWords,
  wordsOf,
} from '../src/config/schema.ts'
import { shownValue, variableOf } from '../src/config/typed.ts'
import { z } from 'zod'

/** Each file by its path from the root, and what has to stand in it. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['docs/schemas/config.json', `${JSON.stringify(z.toJSONSchema(settingsFileSchema, { io: 'input' }), null, 2)}\n`],
    ['docs/configuration.md', configuration()],
    ['man/zotui.1', manPage()],
    ['completions/zotui.bash', bashScript(completableCommands(commands))],
    ['completions/_zotui', zshScript(completableCommands(commands))],
    ['completions/zotui.fish', fishScript(completableCommands(commands))],
  ])
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

function configuration(): string {
  const rows = settingNames.map(name => {
    const may = wordsOf(name)
    const row = [
      `\`${name}\``,
      may,
      `\`${shownValue(defaultSettings[name])}\``,
      untrustedWords(name),
      describeSetting(name),
    ]
    return `| ${row.map(cell).join(' | ')} |`
  })
  return `# Configuration

Settings stand in \`config.json\`: your own in \`$XDG_CONFIG_HOME/zotui\` or else \`~/.config/zotui\` (macOS:
\`~/Library/Preferences/zotui\`, Windows: \`%APPDATA%\\zotui\\Config\`), a project's in its \`.zotui/config.json\`. Comments and
commas at the end of a list are allowed. \`/settings\` shows each value and where it comes from, and changes yours.

A flag beats the environment, that the project's file, that yours. The variable of a setting is its name with \`ZOTUI_\` before it:
\`${variableOf('compactAt')}\` for \`compactAt\`; colours have \`NO_COLOR\` and \`FORCE_COLOR\`. Unknown names and wrong values are said
at the start, with their line; the rest holds.

Outside of a git repository only the folder that zotui was started in is looked at for a project's file, inside also those above
it up to the repository's top.

A path may begin with \`~/\`. A relative one counts from the folder that \`.zotui\` stands in, in your own file from the file's
folder, and in a variable, a flag or \`/settings\` from where you are.

## A project that you have not trusted

Anybody may have written a project's file. Until you trust the project it may be stricter than you, and say how zotui looks as far as
that cannot keep you from reading it; what runs a program, reads a file, sends the conversation elsewhere, changes what it costs, deletes, hides, or changes how you use
zotui is left out. The column "from a project" says which is which. zotui asks once, and says at each start in one line what it left
out; \`/settings trust\` changes the answer at any time.

## The settings

| setting | may be | default | from a project | |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

Editors complete and check the file by [its schema](schemas/config.json): name it in \`"$schema"\`. This page and the schema are
made of the table in \`src/config/schema.ts\` by \`npm run generate\`.
`
}

const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(['.])/, '\\&$1')

const item = (name: string, words: string): string => `.TP\n.B ${roff(name)}\n${roff(words)}`

function manPage(): string {
  const flags = flagsByGroup().map(
    ({ title, flags: rows }) => `.SS ${title}\n${rows.map(row => item(written(row), row.text)).join('\n')}`,
  )
  return `.\\" Made of the tables of flags, commands and settings by npm run generate.
.TH ZOTUI 1
.SH NAME
zotui \\- terminal program for working with the coding agent zot
.SH SYNOPSIS
.B zotui
[flags] [prompt]
.br
.B zotui
COMMAND
.SH DESCRIPTION
Opens a conversation with the coding agent zot in this folder, and sends the prompt if there is one. zot edits files and runs
commands without asking; \\fB\\-\\-read\\-only\\fR leaves it only the tools that read.
.SH COMMANDS
${commands.map(command => item(synopsis(command), command.summary)).join('\n')}
.SH OPTIONS
${flags.join('\n')}
.TP
.B \\-\\- ...
Whatever follows goes to \\fBzot rpc\\fR as it is.
.SH SLASH COMMANDS
${slashCommands.map(({ name, argument, help }) => item(`/${name}${argument === null ? '' : ` ${argument}`}`, help)).join('\n')}
.SH SETTINGS
In \\fIconfig.json\\fR of the configuration folder and in \\fI.zotui/config.json\\fR of a project.
${settingNames.map(name => item(name, `${describeSetting(name)} (${shownValue(defaultSettings[name])})`)).join('\n')}
.SH ENVIRONMENT
${item('ZOTUI_ZOT', 'The zot to run.')}
${item('ZOTUI_THEME', 'The colours. Each other setting has a variable of this kind, too.')}
${item('NO_COLOR, FORCE_COLOR', 'No colours; colours in any case.')}
.SH EXIT STATUS
0 done, 1 failed, 2 the command line was wrong, 130 interrupted.
`
}
