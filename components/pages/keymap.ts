/** All keys: those of the program and those of the pages. */
import { bindings, createKeymap } from '../../src/state/keymap.ts'
import { bindingsOf } from './page-keys.ts'
import { pageTable } from './table.ts'

/** Pages may share their keys. */
const pageKeys = new Set(Object.values(pageTable).flatMap(({ keys, field }) => (field ? [keys, field] : [keys])))

export const allBindings = [...bindings, ...[...pageKeys].flatMap(bindingsOf)]

export const fullKeymap = createKeymap(allBindings)
