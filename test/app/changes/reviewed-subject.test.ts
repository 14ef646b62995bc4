/** What a review was about. */
import { expect, test } from 'vitest'
import { diffCommandOf, reviewedSubjects } from '../../../src/app/changes/reviewed-subject.ts'
import { subjectKey } from '../../../src/tools/diff/subject.ts'

test.each<[string, string | null, readonly string[], string]>([
  ['', null, ['session'], '/diff'],
  ['', 'main', ['revision:main', 'session'], '/diff main'],
  ['HEAD', null, ['session'], '/diff'],
  ['main..topic', null, ['revision:main', 'session'], '/diff main'],
  ['origin/feature-1...', null, ['revision:origin/feature-1', 'session'], '/diff origin/feature-1'],
  ['größe', null, ['revision:größe', 'session'], '/diff größe'],
  ['12', null, ['pull-request:#12'], '/diff #12'],
  [' #12 ', null, ['pull-request:#12'], '/diff #12'],
  [
    'https://github.com/other/repo/pull/12/files',
    null,
    ['pull-request:other/repo#12'],
    '/diff https://github.com/other/repo/pull/12',
  ],
  [
    'https://git.example/other/repo/pull/12',
    null,
    ['pull-request:git.example/other/repo#12'],
    '/diff https://git.example/other/repo/pull/12',
  ],
  ['https://example.com/else', null, ['session'], '/diff'],
  ['the parser, with care', null, ['session'], '/diff'],
  ['--output=x', null, ['session'], '/diff'],
])('of %j', (argument, base, keys, command) => {
  const subjects = reviewedSubjects(argument, base)
  expect(subjects.map(subjectKey)).toEqual(keys)
  expect(subjects[0] && diffCommandOf(subjects[0])).toBe(command)
})
