/**
 * Replaces imports of Node's own modules by `process.getBuiltinModule`. An import reads every export of the module, and
 * so loads parts that are otherwise loaded when used: file streams, a second console, the network's cryptography.
 */
import { isBuiltin } from 'node:module'
import type { Plugin } from 'rolldown'

/** Node 22.0 to 22.2 lacks `getBuiltinModule`, and uses `require`. Scripts get `$builtin` from their loader. */
const ASK = `import{createRequire as $require}from"node:module";const $builtin=globalThis.process.getBuiltinModule??$require(import.meta.url);`

/** For modules, or for scripts (`scripts/modules-to-scripts.ts`). */
export const askForBuiltins = (kind: 'module' | 'script'): Plugin => ({
  name: 'ask-for-builtins',
  renderChunk(code) {
    const wanted = this.parse(code).body.filter(
      statement => statement.type === 'ImportDeclaration' && isBuiltin(statement.source.value),
    )
    if (wanted.length === 0) return null
    let rest = code
    const asked: string[] = []
    for (const statement of wanted.toReversed()) {
      if (statement.type !== 'ImportDeclaration') continue
      rest = rest.slice(0, statement.start) + rest.slice(statement.end)
      asked.unshift(questionFor(statement.source.value, statement.specifiers))
    }
    const shebang = /^#!.*\n/.exec(rest)?.[0] ?? ''
    const before = kind === 'module' ? ASK : ''
    return { code: `${shebang}${before}${asked.join('')}${rest.slice(shebang.length)}`, map: null }
  },
})

/** These take milliseconds to load, so the first call of one of their functions loads them. */
const AT_FIRST_CALL = new Set([
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:timers/promises',
  'node:tty',
  'node:v8',
])

type Specifier = { type: string; local: { name: string }; imported?: { name?: string; value?: string } }

/** Declares the imported names of a module. Its default and its namespace are all its exports. */
function questionFor(module: string, specifiers: readonly Specifier[]): string {
  const asked = `$builtin(${JSON.stringify(module)})`
  const named: string[] = []
  const whole: string[] = []
  for (const { local, imported } of specifiers) {
    const name = imported?.name ?? imported?.value ?? 'default'
    if (name === 'default') whole.push(`const ${local.name}=${asked};`)
    // A class is needed at once: it may be extended.
    else if (AT_FIRST_CALL.has(module) && /^[a-z]/.test(name))
      whole.push(`const ${local.name}=(...given)=>${asked}.${name}(...given);`)
    else named.push(`${name}:${local.name}`)
  }
  return whole.join('') + (named.length > 0 ? `const {${named.join(',')}}=${asked};` : '')
}
