/** The names by which those who run a race are told apart. Pure. */
import type { Entrant } from './race-record.ts'

/** The names of all: those that several have are numbered. */
export function labelsOf(entrants: readonly Pick<Entrant, 'name' | 'model'>[]): string[] {
  const names = entrants.map(({ name, model }) => (model === null ? name : `${name} ${model}`))
  return names.map((name, at) => {
    const before = names.slice(0, at).filter(each => each === name).length
    const isAlone = names.filter(each => each === name).length === 1
    return isAlone ? name : `${name} (${before + 1})`
  })
}
