/** What is generated in the pages from the program's tables. `npx vitest run test/docs -u` updates it. */
import { boardLineSchema } from '../../src/fleet/board-lines.ts'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { permissionQuestionSchema, programAnswerSchema } from '../../src/print/permission-tool.ts'
import { z } from 'zod'
import type { ProgramCommand } from '../../bin/cli/command.ts'
import { commands, synopsis } from '../../bin/cli/commands.ts'
import { flagsByGroup, named, written, type NamedFlag } from '../../bin/cli/flags.ts'
import { printLineSchema } from '../../src/print/json-lines.ts'
import type { KeyContext } from '../../src/state/binding.ts'
import { allBindings } from '../../components/pages/keymap.ts'
import { pageTable } from '../../components/pages/table.ts'
import { actionName } from '../../src/config/keys/action-name.ts'
import { slashCommands } from '../../src/commands/table.ts'
import { keyLabel } from '../../src/text/key-hints.ts'
import { tableRow } from '../../src/text/markdown-table.ts'
import { findReportSchema } from '../../src/storage/find/report.ts'
import { reviewReportSchema } from '../../src/review/report.ts'
import { usageReportSchema } from '../../src/usage/report.ts'
import { listedSchema } from '../../src/conversation/queries/session/session-summary.ts'

const MADE = '<!-- Generated from the tables in the source by `npx vitest run test/docs -u`. -->'
const END = '<!-- The end of what is generated. -->'

/** The page with what stands between the two comments as the tables have it now. */
function pageWith(path: string, parts: readonly string[]): string {
  const page = readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')
  const [before, inside, after, ...more] = page.split(new RegExp(`${MADE}|${END}`))
  if (inside === undefined || after === undefined || more.length > 0)
    throw new Error(`${path} needs exactly two comments, around what is generated`)
  return [before, MADE, `\n\n${parts.join('\n\n')}\n\n`, END, after].join('')
}

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
  ...Object.fromEntries(
    Object.values(pageTable).flatMap(({ keys, field }) =>
      [keys, ...(field ? [field] : [])].map(({ context, heading }) => [context, heading]),
    ),
  ),
}

test('the tables of docs/keys.md are up to date', async () => {
  const sections = Object.entries(contexts).map(([context, title]) => `## ${title}\n\n${keyTable(context)}`)
  const page = '../../docs/keys.md'
  await expect(pageWith(page, sections)).toMatchFileSnapshot(page)
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

test('the tables of docs/commands.md are up to date', async () => {
  const parts = [
    '## In the composer',
    slashTable(),
    '## In the shell',
    'These commands need no terminal, and only `zotui review` starts an agent. Exit codes: 0 success, 1 failure, 2 wrong command line.',
    ...commands.map(commandSection),
    '## Flags',
    'Flags of `zotui [flags] [prompt]`. A flag overrides the setting of the same name ([configuration](configuration.md)).',
    ...flagsByGroup().flatMap(({ title, flags }) => [`### ${title}`, flagTable(flags)]),
    'Everything after `--` is passed to `zot rpc` unchanged.',
  ]
  const page = '../../docs/commands.md'
  await expect(pageWith(page, parts)).toMatchFileSnapshot(page)
})

test.each([
  ['agent-event', 'A line of `zotui -p --json`', printLineSchema],
  ['permission-question', 'What the program of --permission-tool reads', permissionQuestionSchema],
  ['permission-answer', 'What the program of --permission-tool prints', programAnswerSchema],
  ['sessions', 'What `zotui sessions --json` prints', z.array(listedSchema)],
  ['find', 'What `zotui find --json` prints', findReportSchema],
  ['usage', 'What `zotui usage --json` prints', usageReportSchema],
  ['review', 'What `zotui review --json` prints', reviewReportSchema],
  ['board', 'A line that `zotui board --json` prints', boardLineSchema],
])('docs/schemas/%s.json', async (name, title, schema) => {
  const titled = { title, ...z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }) }
  await expect(`${JSON.stringify(titled, null, '\t')}\n`).toMatchFileSnapshot(`../../docs/schemas/${name}.json`)
})
