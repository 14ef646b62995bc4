/** The pages that are generated from the program's tables. `npx vitest run test/docs -u` updates them. */
import { expect, test } from 'vitest'
import { permissionQuestionSchema, programAnswerSchema } from '../../src/print/permission-tool.ts'
import { z } from 'zod'
import { commands, synopsis, type ProgramCommand } from '../../bin/cli/commands.ts'
import { flagsByGroup, named, written, type NamedFlag } from '../../bin/cli/flags.ts'
import { printLineSchema } from '../../src/print/json-lines.ts'
import type { KeyContext } from '../../src/state/binding.ts'
import { allBindings } from '../../components/pages/keymap.ts'
import { pageTable } from '../../components/pages/table.ts'
import { actionName } from '../../src/config/keys/action-name.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { keyLabel } from '../../src/text/key-hints.ts'
import { tableRow } from '../../src/text/markdown-table.ts'
import { usageReportSchema } from '../../src/storage/usage/report.ts'
import { listedSchema } from '../../src/conversation/queries/session/session-summary.ts'

const MADE = '<!-- Generated from the tables in the source by `npx vitest run test/docs -u`. -->'

function keyTable(context: KeyContext): string {
  const rows = allBindings
    .filter(binding => binding.context === context)
    .map(({ keys, action, help }) => {
      const row = tableRow([keys.map(keyLabel).join(', ') || 'none', help])
      return `${row} \`${actionName(context, action)}\` |`
    })
  return ['| key | does | action |', '| --- | --- | --- |', ...rows].join('\n')
}

const contexts = {
  composer: 'In the composer',
  popup: 'In a completion popup',
  picker: 'In a list, such as the models',
  question: 'When the agent asks',
  typed: 'While an answer is typed',
  ...Object.fromEntries(Object.values(pageTable).map(({ keys }) => [keys.context, keys.heading])),
}

test('docs/keys.md is up to date', async () => {
  const sections = Object.entries(contexts).map(([context, title]) => `## ${title}\n\n${keyTable(context)}`)
  const intro = `These are the default keys. An open list, popup or viewer gets a key before the composer. \`?\` on an empty line shows your
current keys; [keys.json](custom-keys.md) rebinds them by the names of their actions. Some characters have a meaning where they are
typed: \`/\` and \`!\` at the beginning of a line, \`@\` at the beginning of a word ([files](mentions.md)), and \`#\` on an empty line
([notes](context.md#memory-agentsmd)). The composer can have [vim's keys](vim.md).`
  const page = ['# Keys', MADE, intro, ...sections].join('\n\n')
  await expect(`${page}\n`).toMatchFileSnapshot('../../docs/keys.md')
})

function slashTable(): string {
  const rows = slashCommands.map(({ name, argument, aliases, help, needsIdle }) =>
    tableRow([
      `/${name}${argument === null ? '' : ` ${argument}`}`,
      `${help}${needsIdle ? ' (waits for the agent)' : ''}`,
      aliases.map(alias => `/${alias}`).join(' '),
    ]),
  )
  return ['| command | does | also |', '| --- | --- | --- |', ...rows].join('\n')
}

function flagTable(flags: readonly NamedFlag[]): string {
  return ['| flag | |', '| --- | --- |', ...flags.map(flag => tableRow([written(flag), flag.text]))].join('\n')
}

function commandSection(command: ProgramCommand): string {
  const flags = named(command.flags)
  const table = flags.length === 0 ? [] : ['', flagTable(flags)]
  return [`### \`zotui ${synopsis(command)}\``, '', command.summary, ...table].join('\n')
}

test('docs/commands.md is up to date', async () => {
  const page = [
    '# Commands',
    MADE,
    '## In the composer',
    'A command is a line that begins with a slash; `/` lists all commands, the most used first. A line with a space before\nthe slash is sent as text.',
    `Enter runs the selected row. If several commands begin with what you typed, that is the first one in this table: \`/co\` runs
/compact, \`/re\` runs /resume. An exact name comes first, aliases come last. A command that is only similar to what you typed is completed,
and a second Enter runs it; so is /study, which costs money. [Custom commands](custom-commands.md) are listed after these.`,
    slashTable(),
    '## In the shell',
    'These commands need no terminal and start no agent. Exit codes: 0 success, 1 failure, 2 wrong command line.',
    ...commands.map(commandSection),
    '## Flags',
    'Flags of `zotui [flags] [prompt]`. A flag overrides the setting of the same name ([configuration](configuration.md)).',
    ...flagsByGroup().flatMap(({ title, flags }) => [`### ${title}`, flagTable(flags)]),
    'Everything after `--` is passed to `zot rpc` unchanged.',
  ].join('\n\n')
  await expect(`${page}\n`).toMatchFileSnapshot('../../docs/commands.md')
})

test.each([
  ['agent-event', 'A line of `zotui -p --json`', printLineSchema],
  ['permission-question', 'What the program of --permission-tool reads', permissionQuestionSchema],
  ['permission-answer', 'What the program of --permission-tool prints', programAnswerSchema],
  ['sessions', 'What `zotui sessions --json` prints', z.array(listedSchema)],
  ['usage', 'What `zotui usage --json` prints', usageReportSchema],
])('docs/schemas/%s.json', async (name, title, schema) => {
  const titled = { title, ...z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }) }
  await expect(`${JSON.stringify(titled, null, '\t')}\n`).toMatchFileSnapshot(`../../docs/schemas/${name}.json`)
})
