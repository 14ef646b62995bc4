/**
 * Tables and the names that others choose for them: an agent, a file, a project, the user.
 *
 * Every object inherits `constructor`, `toString`, `__proto__` and others, so `table[name]` answers for names that are not in the table,
 * and `table[name] = value` may replace what it inherits. `npm run check` refuses both (scripts/foreign-keys.ts).
 */

/** The table's own value of this name; undefined if it has none. */
export function lookup<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Gives the table a value of its own with this name. */
export function put<Value>(table: Record<string, Value>, name: string, value: NoInfer<Value>): void {
  Object.defineProperty(table, name, { value, writable: true, enumerable: true, configurable: true })
}

/** The names in a table that our code wrote. */
export function namesOf<Table extends object>(table: Table): Extract<keyof Table, string>[] {
  return Object.keys(table) as Extract<keyof Table, string>[]
}
