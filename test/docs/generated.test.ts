/** The pages that are made of the tables which the program itself goes by. `npx vitest run test/docs -u` writes them anew. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { commands, synopsis, type ProgramCommand } from '../../bin/cli/commands.ts'
import { flagsByGroup, written, type NamedFlag } from '../../bin/cli/flags.ts'
import { agentEventSchema } from '../../src/agent/event-schema.ts'
import { bindings, type KeyContext } from '../../src/state/keymap.ts'
import { actionName } from '../../src/config/keys/action-name.ts'
import { slashCommands } from '../../src/state/slash.ts'
import { keyLabel, tableRow } from '../../src/app/context/texts.ts'
import { usageReportSchema } from '../../src/storage/usage/report.ts'
import { listedSchema } from '../../src/conversation/session-summary.ts'

const MADE = '<!-- Made from the tables in the source: `npx vitest run test/docs -u` writes it anew. -->'

function keyTable(context: KeyContext): string {
  const rows = bindings
    .filter(binding => binding.context === context)
    .map(({ keys, action, help }) => {
      const row = tableRow([keys.map(keyLabel).join(', ') || 'none', help])
      return `${row} \`${actionName(context, action)}\` |`
    })
  return ['| key | does | action |', '| --- | --- | --- |', ...rows].join('\n')
}

const contexts: Record<KeyContext, string> = {
  composer: 'In the composer',
  popup: 'In a popup of completions',
  picker: 'In a list, such as that of the models',
  viewer: 'In the viewer',
  diff: 'In /diff',
}

test('docs/keys.md', async () => {
  const sections = Object.entries(contexts).map(
    ([context, title]) => `## ${title}\n\n${keyTable(context as KeyContext)}`,
  )
  const intro = `All keys as they are bound from the start; what is open is asked before the composer. \`?\` on an empty line shows those that
hold for you, and [keys.json](own-keys.md) changes them by
the names of their actions.`
  const page = ['# Keys', MADE, intro, ...sections].join('\n\n')
  await expect(`${page}\n`).toMatchFileSnapshot('../../docs/keys.md')
})

function slashTable(): string {
  const rows = slashCommands.map(({ name, argument, aliases, help, needsIdle }) =>
    tableRow([
      `/${name}${argument === null ? '' : ` ${argument}`}`,
      `${help}${needsIdle ? ' (waits until the agent is done)' : ''}`,
      aliases.map(alias => `/${alias}`).join(' '),
    ]),
  )
  return ['| command | does | also |', '| --- | --- | --- |', ...rows].join('\n')
}

function flagTable(flags: readonly NamedFlag[]): string {
  return ['| flag | |', '| --- | --- |', ...flags.map(flag => tableRow([written(flag), flag.text]))].join('\n')
}

function commandSection(command: ProgramCommand): string {
  const rows = Object.entries(command.flags).map(([name, { value, short, help }]) =>
    tableRow([`--${name}${value === null ? '' : ` ${value}`}${short === undefined ? '' : `, -${short}`}`, help]),
  )
  const table = rows.length === 0 ? [] : ['', '| flag | |', '| --- | --- |', ...rows]
  return [`### \`zotui ${synopsis(command)}\``, '', command.summary, ...table].join('\n')
}

test('docs/commands.md', async () => {
  const page = [
    '# Commands',
    MADE,
    '## In the composer',
    'A line that begins with a slash; `/` lists them. With a space before the slash the line is sent as text. What is used most stands first.',
    `Enter takes the row that is marked. Where several commands begin with what was typed, that is the first of this table: \`/co\` is
/compact, \`/re\` is /resume. A name as it was typed goes before all, other names go behind. What is only like what was typed is completed,
and a second Enter carries it out; so is /study, which costs. [Commands of your own](custom-commands.md) stand behind these.`,
    slashTable(),
    '## In the shell',
    'They need no terminal and start no agent. Exit codes: 0 done, 1 failed, 2 the command line was wrong.',
    ...commands.map(commandSection),
    '## Flags',
    'Of `zotui [flags] [prompt]`. Settings of the same name hold where no flag does ([configuration](configuration.md)).',
    ...flagsByGroup().flatMap(({ title, flags }) => [`### ${title}`, flagTable(flags)]),
    'Whatever follows `--` goes to `zot rpc` as it is.',
  ].join('\n\n')
  await expect(`${page}\n`).toMatchFileSnapshot('../../docs/commands.md')
})

test.each([
  ['agent-event', 'A line of `zotui -p --json`', agentEventSchema],
  ['sessions', 'What `zotui sessions --json` prints', z.array(listedSchema)],
  ['usage', 'What `zotui usage --json` prints', usageReportSchema],
])('docs/schemas/%s.json', async (name, title, schema) => {
  const titled = { title, ...z.toJSONSchema(schema, { target: 'draft-2020-12', io: 'input' }) }
  await expect(`${JSON.stringify(titled, null, 2)}\n`).toMatchFileSnapshot(`../../docs/schemas/${name}.json`)
})
