/**
 * Splits each subcommand, which is one file (`bin/cli/commands`), into two: its names, flags and help, which stand in the table and are
 * loaded with the help, and what it does, which is loaded when it runs. A start without a command gets the names only.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin } from 'rolldown'
import { parseSync } from 'rolldown/utils'

export function splitCommands(root: string, names: object): Plugin {
  const table = `${root}bin/cli/commands.ts`
  const folder = `${root}bin/cli/commands/`
  return {
    name: 'split-commands',
    load(id) {
      if (id === table) return tableOf(textOf(id), name => splitCommand(name, textOf(folder + name)).facts)
      if (id.startsWith(folder)) return splitCommand(basename(id), textOf(id)).rest
      if (id === `${root}bin/cli/command-names.ts`) return `export const commandNames = ${JSON.stringify(names)}`
      return id === `${root}bin/cli/load-command.ts` ? loaderOf(readdirSync(folder)) : null
    },
  }
}

const textOf = (file: string): string => readFileSync(file, 'utf8')

/** The text of the table, with the facts of each command in the place of its name. */
function tableOf(text: string, factsOf: (file: string) => string): string {
  const imports = /^import \{ command as (\w+) \} from '\.\/commands\/([\w-]+\.ts)'\n/gm
  const files = new Map([...text.matchAll(imports)].map(([, name = '', file = '']) => [name, file]))
  return text
    .replaceAll(imports, '')
    .replace(/(?<=commands: readonly Subcommand\[\] = )\[[^\]]*\]/, names =>
      names.replaceAll(/\w+/g, name => factsOf(files.get(name) ?? `${name}.ts`)),
    )
}

/** The fields of a file's `command` without `run`, and the file with its `run` in the place of `command`. */
export function splitCommand(file: string, text: string): { facts: string; rest: string } {
  for (const statement of parseSync(file, text).program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'VariableDeclaration') continue
    const [declared] = statement.declaration.declarations
    if (declared?.id.type !== 'Identifier' || declared.id.name !== 'command') continue
    if (declared.init?.type !== 'ObjectExpression') break
    const fields = declared.init.properties.map(field => ({
      text: text.slice(field.start, field.end),
      isRun: field.type === 'Property' && field.key.type === 'Identifier' && field.key.name === 'run',
    }))
    const run = fields.find(({ isRun, text: written }) => isRun && written.startsWith('run: '))
    if (!run) break
    return {
      facts: `{ ${fields.flatMap(field => (field.isRun ? [] : [field.text])).join(', ')} }`,
      rest: `${text.slice(0, statement.start)}export const run = ${run.text.slice('run: '.length)}${text.slice(statement.end)}`,
    }
  }
  throw new Error(`${file} exports no object "command" with a field "run: ..."`)
}

function loaderOf(files: readonly string[]): string {
  const loads = files.map(file => `${basename(file, '.ts')}: () => import('./commands/${file}')`)
  return `const files = { ${loads.join(', ')} }
export const loadCommand = name => files[name]()`
}
