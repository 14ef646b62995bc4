import { inheritedNames } from '../helpers/inherited-names.ts'

/** Values that no field should have. */
export const odd: readonly unknown[] = [
  null,
  7,
  -1,
  true,
  1e300,
  'text',
  [],
  [null, 7, 'x'],
  {},
  { type: 7 },
  '\0\u001B[2J',
  ...inheritedNames,
  Object.fromEntries(inheritedNames.map(name => [name, name])),
]
