/** The folder from which a relative path in a setting counts. */
import { expect, test } from 'vitest'
import { wholePath } from '../../src/config/paths.ts'

const home = '/home/me'

test.each([
  ['zot', './bin/zot', '/project', '/project/bin/zot'],
  ['zot', 'bin/zot', '/project', '/project/bin/zot'],
  ['zot', '../zot', '/project/sub', '/project/zot'],
  ['zot', 'zot', '/project', 'zot'],
  ['zot', '/opt/zot', '/project', '/opt/zot'],
  ['zot', '~/go/bin/zot', '/project', '/home/me/go/bin/zot'],
  ['zot', './bin/zot', null, './bin/zot'],
  ['theme', 'mine.json', '/project', '/project/mine.json'],
  ['theme', 'dark', '/project', 'dark'],
  ['theme', '~/mine.json', null, '/home/me/mine.json'],
] as const)('%s %s in a file that counts from %s is %s', (name, said, folder, whole) => {
  expect(wholePath(name, said, { folder, home })).toBe(whole)
})

test('an unset zot gives no path', () => {
  expect(wholePath('zot', null, { folder: '/project', home })).toBeNull()
})
