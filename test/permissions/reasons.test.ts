/** The reason that a decision gives to the user. */
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/permissions/decide.ts'
import { bash, edit, policy } from './policy.ts'

describe('the reason of a question', () => {
  test.each([
    ['ls -la /etc', 'it reads /etc, outside the folder'],
    ['cat < /etc/passwd', 'it reads /etc/passwd, outside the folder'],
    ['find /etc -name x', 'it reads /etc, outside the folder'],
    ['cat $HOME/x', '$HOME/x is known only when it runs'],
    ['cat < $FILE', '$FILE is known only when it runs'],
    ['head -n $N a', '$N is known only when it runs'],
    ['PATH=/tmp ls', 'it sets PATH'],
    ['rg --follow-x a', '--follow-x may do more than read'],
    ['find . -delete', '-delete may do more than read'],
    ['hostname new', 'new may do more than read'],
    ['uniq a b', 'it may write b'],
    ['npm test > out', 'it writes out'],
    ['cd .. && ls', 'it goes to another folder: cd ..'],
    ['ls && cat /etc/passwd', 'it reads /etc/passwd, outside the folder: cat /etc/passwd'],
    ['npm test && cat /etc/passwd', 'it reads /etc/passwd, outside the folder: cat /etc/passwd'],
  ])('about %s names what decides', (command, because) =>
    expect(decide(policy('ask'), bash(command))).toEqual({ verdict: 'ask', because, rule: null }),
  )

  test.each([
    ['foobarbaz --x', bash('foobarbaz --x'), 'it may change something'],
    ['ls && npm test', bash('ls && npm test'), 'it may change something: npm test'],
    ['an edit in the folder', edit('/home/ann/project/a.ts'), 'the mode is ask'],
  ])('about %s says nothing about it, and is marked as usual', (_name, request, because) =>
    expect(decide(policy('ask'), request)).toEqual({ verdict: 'ask', because, isUsual: true, rule: null }),
  )
})

test('a refusal names to the user the mode alone, and the model also what was wrong', () => {
  expect(decide(policy('plan'), bash('npm test'))).toMatchObject({
    because: 'plan mode',
    note: 'it may change something',
    words: expect.stringMatching(/\(it may change something\)$/),
  })
})

test('a refusal by a rule names the rule and its place', () => {
  const decision = decide(policy('allow', { deny: ['Bash(rm:*)'] }), bash('rm x'))
  expect(decision.because).toBe('the rule Bash(rm:*) (config.json line 3)')
})
