/** The generated files: the configuration page and schema, the man pages, and the completion scripts. */
import { commands, synopsis } from '../bin/cli/commands.ts'
import { bashScript } from '../bin/cli/completion/bash.ts'
import { fishScript } from '../bin/cli/completion/fish.ts'
import { completableCommands } from '../bin/cli/completion/completable.ts'
import { zshScript } from '../bin/cli/completion/zsh.ts'
import { flagsByGroup, written } from '../bin/cli/flags.ts'
import { slashCommands } from '../src/commands/table.ts'
import { defaultSettings, settingNames, settingsFile, wordsOf, type SettingName } from '../src/config/schema.ts'
import { describeSetting } from '../src/config/descriptions.ts'
import { untrustedWords } from '../src/config/trust/untrusted.ts'
import { shownValue, variableOf } from '../src/config/typed.ts'

/** The content of each generated file, by its path from the root. */
export function generatedFiles(): ReadonlyMap<string, string> {
  return new Map([
    [
      'docs/schemas/config.json',
      `${JSON.stringify({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...settingsFile(describeSetting).schema }, null, '\t')}\n`,
    ],
    ['docs/configuration.md', configuration()],
    ['man/zotui.1', manPage()],
    ['man/zotui-config.5', configManPage()],
    ['completions/zotui.bash', bashScript(completableCommands(commands))],
    ['completions/_zotui', zshScript(completableCommands(commands))],
    ['completions/zotui.fish', fishScript(completableCommands(commands))],
  ])
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** As in a settings file: `null`, `[]` and `{}` instead of the `none` that can be typed. Words have no quotes. */
function defaultOf(name: SettingName): string {
  const value = defaultSettings[name]
  const shown = shownValue(value)
  return shown === 'none' ? JSON.stringify(value) : shown
}

function configuration(): string {
  const rows = settingNames.map(name => {
    const may = wordsOf(name)
    const row = [`\`${name}\``, may, `\`${defaultOf(name)}\``, untrustedWords(name), describeSetting(name)]
    return `| ${row.map(cell).join(' | ')} |`
  })
  return `# Configuration

Write your settings into \`config.json\` in \`$XDG_CONFIG_HOME/zotui\`, else \`~/.config/zotui\` (macOS: \`~/Library/Preferences/zotui\`,
Windows: \`%APPDATA%\\zotui\\Config\`), or change them with \`/settings\`, which shows each value and its source. A project's settings are
in its \`.zotui/config.json\`, in a git repository in the nearest folder up to its top. Comments and trailing commas are allowed.

Flags override environment variables, which override the project's file, which overrides yours. A setting's variable is its name with
\`ZOTUI_\` in front, such as \`${variableOf('compactAt')}\` for \`compactAt\`, where \`none\` means \`null\` or \`[]\`; for colours use
\`NO_COLOR\` and \`FORCE_COLOR\`. At the start zotui reports unknown names and wrong values with their line, and ignores them.

A path may begin with \`~/\`. A relative path starts at the folder that contains \`.zotui\`, in your own file at that file's folder, and
in a variable, a flag or \`/settings\` at the current folder.

## Untrusted projects

Anybody may have written a project's file. Until you trust the project, its settings may only be stricter than yours, or change the
appearance in ways that keep the screen readable; the column "from a project" has the rules. zotui asks you once, and names the ignored
settings in one line at each start. \`/settings trust\` changes your answer.

## The settings

| setting | values | default | from a project | |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

Editors complete and validate the file if \`"$schema"\` names [its schema](schemas/config.json). This page and the schema are generated
from \`src/config/schema.ts\` by \`npm run generate\`.
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
  return `.\\" Generated from the tables of flags, commands and settings by npm run generate.
.TH ZOTUI 1
.SH NAME
zotui \\- terminal UI for the coding agent zot
.SH SYNOPSIS
.B zotui
[flags] [prompt]
.br
.B zotui
COMMAND
.SH DESCRIPTION
Starts a session with the coding agent zot in the current folder, and sends the prompt if there is one. zotui asks before the agent
edits a file or runs a command that does more than read; \\fB\\-\\-permissions\\fR changes that.
.SH COMMANDS
${commands.map(command => item(synopsis(command), command.summary)).join('\n')}
.SH OPTIONS
${flags.join('\n')}
.TP
.B \\-\\- ...
Everything after it is passed to \\fBzot rpc\\fR unchanged.
.SH SLASH COMMANDS
${slashCommands.map(({ name, argument, help }) => item(`/${name}${argument === null ? '' : ` ${argument}`}`, help)).join('\n')}
.SH ENVIRONMENT
${item('ZOTUI_ZOT', 'The zot to run.')}
${item('ZOTUI_THEME', 'The colours. Every other setting has such a variable, too.')}
${item('NO_COLOR, FORCE_COLOR', 'Turn colours off; turn them on even without a terminal.')}
.SH EXIT STATUS
0 success, 1 failure, 2 wrong command line, 3 a call was refused because -p cannot ask, 130 interrupted.
.SH SEE ALSO
.BR zotui\\-config (5)
`
}

function configManPage(): string {
  const settings = settingNames.map(name => {
    const values = `Values: ${wordsOf(name)}. Default: ${defaultOf(name)}. Variable: ${variableOf(name)}.`
    const rows = [describeSetting(name), values, `From an untrusted project: ${untrustedWords(name)}.`]
    return `.TP\n.B ${roff(name)}\n${rows.map(roff).join('\n.br\n')}`
  })
  return `.\\" Generated from the table of settings by npm run generate.
.TH ZOTUI\\-CONFIG 5
.SH NAME
zotui\\-config \\- settings of zotui
.SH DESCRIPTION
Settings are in \\fIconfig.json\\fR in the configuration folder and in \\fI.zotui/config.json\\fR of a project. Comments and trailing
commas are allowed. Flags override environment variables, which override the project's file, which overrides the user's.
In a variable, \\fBnone\\fR means null or an empty list, and commas separate the items of a list.
.PP
Until the user trusts a project, its file may set only some values. Each setting says which.
.SH SETTINGS
${settings.join('\n')}
.SH FILES
${item('$XDG_CONFIG_HOME/zotui/config.json, else ~/.config/zotui/config.json', "The user's settings.")}
${item('.zotui/config.json', "A project's settings, in the current folder or a folder above it up to the top of the repository.")}
.SH SEE ALSO
.BR zotui (1)
`
}
