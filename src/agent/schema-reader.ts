/**
 * Reads values by zod schemas, the usual ones many times as fast: code that is derived from a schema reads values that need none of
 * zod's care, and leaves all others to the schema itself. So a shape is written once, and nothing reads it by hand beside its schema.
 *
 * The code is made as zod makes its own for objects, by `new Function`: its parts are names and numbers of our schemas, never a value
 * that is read.
 */
import type { z } from 'zod'

/** The answer of a derived reader for a value that only the schema can read: an odd one, an invalid one, or one of a kind it lacks. */
export const UNUSUAL = Symbol('unusual')

type Read = (value: unknown) => unknown
type Schema = z.core.$ZodType
/** Makes an expression on the variable of this name. */
type Condition = (from: string) => string
/** Schemas of the kinds whose definitions are known. */
type Def = z.core.$ZodTypes['_zod']['def']

/**
 * Makes a reader of a schema: the value as `schema.parse` returns it; null for one that it rejects. The schema is made, and the code
 * derived, when the first value comes.
 */
export function createReader<Value>(make: () => z.ZodType<Value>): (value: unknown) => Value | null {
  let made: { schema: z.ZodType<Value>; read: Read } | undefined
  return value => {
    if (!made) {
      const schema = make()
      made = { schema, read: usualReader(schema) }
    }
    const found = made.read(value)
    // The derived code returns what the schema describes.
    const known = found === UNUSUAL ? made.schema.safeParse(value).data : (found as Value)
    return known ?? null
  }
}

/** Lists that skip their invalid items (`lenient.ts`), with the schema of an item: a list without any is usual. */
const lists = new WeakMap<Schema, Schema>()

export function markList<List extends Schema>(list: List, item: Schema): List {
  lists.set(list, item)
  return list
}

/** The derived reader alone. It never throws. */
export function usualReader(schema: Schema): Read {
  const code = new ReaderCode()
  code.read(schema, 'value', 'found')
  return code.compile()
}

/** The statements of one function, which reads `value` into `found`, or returns `unusual`. */
class ReaderCode {
  #lines: string[] = []
  readonly #constants: unknown[] = [UNUSUAL]
  #count = 0

  compile(): Read {
    const source = `return value => { let found; ${this.#lines.join('\n')} return found }`
    try {
      const make = new Function('constants', source) as (constants: readonly unknown[]) => Read
      return make(this.#constants)
    } catch {
      // Node can be started so that it makes no code of texts: the schema reads everything then.
      return () => UNUSUAL
    }
  }

  /** Reads the variable `from` into the variable `to`. */
  read(schema: Schema, from: string, to: string): void {
    const item = lists.get(schema)
    if (item) {
      this.#add(`if (${from} === undefined) ${to} = []; else {`)
      this.#array(item, from, to)
      return this.#add('}')
    }
    const condition = this.#condition(schema)
    if (condition) return this.#add(`if (!(${condition(from)})) ${LEAVE}; ${to} = ${from};`)
    const def = defOf(schema)
    if (hasChecks(def)) return this.#leave()
    if (def.type === 'optional' && !isDefaulted(schema, def))
      return this.#unless(def.innerType, { from, to, other: 'undefined' })
    if (def.type === 'nullable') return this.#unless(def.innerType, { from, to, other: 'null' })
    if (def.type === 'catch') return this.#caught(def, from, to)
    if (def.type === 'array') return this.#array(def.element, from, to)
    if (def.type === 'record') return this.#record(def, from, to)
    if (def.type === 'union')
      return 'discriminator' in def ? this.#discriminated(def, from, to) : this.#union(def, from, to)
    if (def.type === 'object') return this.#object(def, from, to)
    // The schema reads all values of the other kinds.
    this.#leave()
  }

  /** The condition under which the schema returns a value as it is, if it rejects all others; null if it does more. */
  #condition(schema: Schema): Condition | null {
    const def = defOf(schema)
    if (def.type === 'string') return stringCondition(def)
    if (def.type === 'number') return numberCondition(def)
    if (hasChecks(def)) return null
    if (def.type === 'boolean') return from => `typeof ${from} === 'boolean'`
    if (def.type === 'unknown' || def.type === 'any') return () => 'true'
    if (def.type === 'literal') return among(def.values)
    if (def.type === 'enum') return among(Object.values(def.entries))
    if (def.type === 'optional') return isDefaulted(schema, def) ? null : this.#orElse(def.innerType, 'undefined')
    if (def.type === 'nullable') return this.#orElse(def.innerType, 'null')
    return def.type === 'union' && !('discriminator' in def) ? this.#any(def.options) : null
  }

  #orElse(schema: Schema, other: string): Condition | null {
    const inner = this.#condition(schema)
    return inner && (from => `${from} === ${other} || (${inner(from)})`)
  }

  #any(options: readonly Schema[]): Condition | null {
    const conditions = options.flatMap(option => this.#condition(option) ?? [])
    if (conditions.length < options.length) return null
    return from => conditions.map(condition => `(${condition(from)})`).join(' || ')
  }

  #unless(inner: Schema, { from, to, other }: { from: string; to: string; other: string }): void {
    this.#add(`if (${from} === ${other}) ${to} = ${from}; else {`)
    this.read(inner, from, to)
    this.#add('}')
  }

  #caught(def: z.core.$ZodCatchDef, from: string, to: string): void {
    if (mayCatch(def.innerType)) return this.#leave()
    const condition = this.#condition(def.innerType)
    const caught: unknown = Reflect.apply(def.catchValue, undefined, [{ value: undefined, issues: [] }])
    const isPlain = caught === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof caught)
    if (!condition || !isPlain) return this.read(def.innerType, from, to)
    this.#add(`${to} = ${condition(from)} ? ${from} : ${caught === undefined ? 'undefined' : JSON.stringify(caught)};`)
  }

  #array(element: Schema, from: string, to: string): void {
    const [items, at, each, read] = [this.#name(), this.#name(), this.#name(), this.#name()]
    this.#add(`if (!Array.isArray(${from})) ${LEAVE}; const ${items} = [];`)
    this.#add(`for (let ${at} = 0; ${at} < ${from}.length; ${at} += 1) { const ${each} = ${from}[${at}]; let ${read};`)
    this.read(element, each, read)
    this.#add(`${items}.push(${read}); } ${to} = ${items};`)
  }

  #record(def: z.core.$ZodRecordDef, from: string, to: string): void {
    const key = defOf(def.keyType)
    if (key.type !== 'string' || hasChecks(key)) return this.#leave()
    const [members, name, each, read] = [this.#name(), this.#name(), this.#name(), this.#name()]
    this.#add(`${notPlain(from)} const ${members} = {};`)
    this.#add(`for (const ${name} of Object.keys(${from})) { if (${name} === '__proto__') ${LEAVE};`)
    this.#add(`const ${each} = ${from}[${name}]; let ${read};`)
    this.read(def.valueType, each, read)
    this.#add(`${members}[${name}] = ${read}; } ${to} = ${members};`)
  }

  /** The first schema that takes the value, as long as it is certain that those before it do not. */
  #union(def: z.core.$ZodUnionDef, from: string, to: string): void {
    if (def.options.some(mayCatch)) return this.#leave()
    const [option, ...others] = def.options
    const condition = option && this.#condition(option)
    if (!condition) return option ? this.read(option, from, to) : this.#leave()
    this.#add(`if (${condition(from)}) ${to} = ${from}; else {`)
    this.#union({ ...def, options: others }, from, to)
    this.#add('}')
  }

  #discriminated(def: z.core.$ZodUnionDef, from: string, to: string): void {
    const discriminator = 'discriminator' in def ? String(def.discriminator) : ''
    const readers = new Map<unknown, Read>()
    for (const option of def.options) {
      const shape = defOf(option)
      const mark = shape.type === 'object' ? new Map(Object.entries(shape.shape)).get(discriminator) : undefined
      const literal = mark && defOf(mark)
      if (literal?.type !== 'literal') return this.#leave()
      const read = usualReader(option)
      for (const value of literal.values) readers.set(value, read)
    }
    const [constant, reader] = [this.#constants.push(readers) - 1, this.#name()]
    this.#add(
      `${notPlain(from)} const ${reader} = constants[${constant}].get(${from}[${JSON.stringify(discriminator)}]);`,
    )
    this.#add(`if (!${reader}) ${LEAVE}; ${to} = ${reader}(${from}); if (${to} === constants[0]) ${LEAVE};`)
  }

  #object(def: z.core.$ZodObjectDef, from: string, to: string): void {
    const rest = def.catchall && defOf(def.catchall)
    // Without it, or with `unknown`, nothing is refused.
    if (rest && rest.type !== 'unknown') return this.#leave()
    const object = this.#name()
    this.#add(`${notPlain(from)} const ${object} = {};`)
    for (const [name, schema] of Object.entries(def.shape)) this.#member({ schema, name, from, object })
    if (rest) {
      const known = this.#constants.push(new Set(Object.keys(def.shape))) - 1
      this.#add(`for (const name in ${from}) { if (name === '__proto__') ${LEAVE};`)
      this.#add(`if (!constants[${known}].has(name)) ${object}[name] = ${from}[name]; }`)
    }
    this.#add(`${to} = ${object};`)
  }

  #member({ schema, name, from, object }: { schema: Schema; name: string; from: string; object: string }): void {
    const { optin, optout } = internalsOf(schema)
    const [input, read, key] = [this.#name(), this.#name(), JSON.stringify(name)]
    const isAbsent = `(${input} === undefined && !(${key} in ${from}))`
    this.#add(`const ${input} = ${from}[${key}]; let ${read};`)
    if (optin === 'optional' && optout === 'optional') {
      // An absent member stays absent.
      this.#add(`if (!${isAbsent}) {`)
      this.read(schema, input, read)
      return this.#add(`${object}[${key}] = ${read}; }`)
    }
    if (optin !== 'optional') this.#add(`if (${isAbsent}) ${LEAVE};`)
    this.read(schema, input, read)
    this.#add(`if (${read} !== undefined || !${isAbsent}) ${object}[${key}] = ${read};`)
  }

  #leave(): void {
    this.#add(`${LEAVE};`)
  }

  #add(line: string): void {
    this.#lines.push(line)
  }

  #name(): string {
    this.#count += 1
    return `v${this.#count}`
  }
}

const LEAVE = 'return constants[0]'

/** An object of a JSON text, or one like it, is usual. */
function notPlain(from: string): string {
  return `if (typeof ${from} !== 'object' || ${from} === null || Object.getPrototypeOf(${from}) !== Object.prototype) ${LEAVE};`
}

/** zod publishes `_zod.def` for programs like this one, which walk through schemas. */
function internalsOf(schema: Schema): z.core.$ZodTypes['_zod'] {
  const { _zod: internals } = schema as z.core.$ZodTypes
  return internals
}

function defOf(schema: Schema): Def {
  return internalsOf(schema).def
}

/** A schema with further checks, such as `refine`, does more than its kind. */
function hasChecks({ checks }: z.core.$ZodTypeDef): boolean {
  return checks !== undefined && checks.length > 0
}

/** Whether `undefined` is not simply kept. */
function isDefaulted(schema: Schema, def: z.core.$ZodOptionalDef): boolean {
  return internalsOf(def.innerType).optin === 'defaulted' || internalsOf(schema).traits.has('$ZodExactOptional')
}

/** Whether it may give the value of a `catch`, which zod treats in its own ways in a union or another catch. */
function mayCatch(schema: Schema): boolean {
  const def = defOf(schema)
  if (def.type === 'union') return def.options.some(mayCatch)
  return def.type === 'catch' || ('innerType' in def && mayCatch(def.innerType))
}

function among(values: readonly unknown[]): Condition | null {
  const words = values.filter(value => typeof value === 'string')
  if (words.length < values.length) return null
  return from => words.map(word => `${from} === ${JSON.stringify(word)}`).join(' || ')
}

function stringCondition(def: z.core.$ZodStringDef): Condition | null {
  if ('format' in def || def.coerce) return null
  let least = 0
  for (const { _zod: check } of def.checks ?? []) {
    const { def: definition } = check
    if (definition.check !== 'min_length' || !('minimum' in definition)) return null
    least = Math.max(least, Number(definition.minimum))
  }
  return from => `typeof ${from} === 'string'${least > 0 ? ` && ${from}.length >= ${least}` : ''}`
}

/** JSON may have a number that is too large for JavaScript, which is then infinite. */
function numberCondition(def: z.core.$ZodNumberDef): Condition | null {
  if (def.coerce || hasChecks(def)) return null
  if (!('format' in def)) return from => `Number.isFinite(${from})`
  return def.format === 'safeint' ? from => `Number.isSafeInteger(${from})` : null
}
