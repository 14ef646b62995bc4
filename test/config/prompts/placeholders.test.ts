import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillIn } from '../../../src/config/prompts/placeholders.ts'

test.each([
  ['Fix $ARGUMENTS now.', 'the "red" test', 'Fix the "red" test now.'],
  ['Fix $1 in $2.', 'it "src/a b.ts"', 'Fix it in src/a b.ts.'],
  ['Fix $1 in $2.', "it 'src/a b.ts'", 'Fix it in src/a b.ts.'],
  ['Fix $1 in $2.', String.raw`it src/a\ b.ts`, 'Fix it in src/a b.ts.'],
  ['Fix $1, $2 and $3.', 'one', 'Fix one, and.'],
  ['$9$1', 'a b c d e f g h i', 'ia'],
  ['$2 $2 $ARGUMENTS', 'a b', 'b b a b'],
  // A quote that is no quote.
  ['Fix: $1 / $ARGUMENTS', "don't do it", "Fix: don't / don't do it"],
  // Texts that only look like placeholders.
  ['$10 and $0 and $ARGUMENTSX and ${1} and $x', '', '$10 and $0 and $ARGUMENTSX and ${1} and $x'],
  [String.raw`awk '{ print $$1 }' and $$ARGUMENTS, $$`, 'x', "awk '{ print $1 }' and $ARGUMENTS, $$\n\nx"],
  // A text that is filled in is not looked at again.
  ['$1 $ARGUMENTS', '$2 $ARGUMENTS', '$2 $2 $ARGUMENTS'],
  ['Review.', 'src', 'Review.\n\nsrc'],
  ['Review.\n', '', 'Review.\n'],
  ['Review $ARGUMENTS', '', 'Review'],
  // Places without a word.
  ['Look in $1, depth "$2", for ($3) $4 mistakes.', 'src', 'Look in src, depth, for mistakes.'],
  ['Write tests for this: $ARGUMENTS\n\nRun them.', '', 'Write tests for this.\n\nRun them.'],
  ['Review it.\n\nThe change: $ARGUMENTS\n\nBe kind.', '', 'Review it.\n\nBe kind.'],
  ['Review it.\n\nThe change: $ARGUMENTS\n\nBe kind.', 'main', 'Review it.\n\nThe change: main\n\nBe kind.'],
  ['Review it.\n- the base: $1\n- the depth: "$2".\nBe kind.', 'main', 'Review it.\n- the base: main\nBe kind.'],
  ['Review it.\n\n$ARGUMENTS', '', 'Review it.'],
  ['Compare: $1 with: $2', 'a', 'Compare: a with.'],
  ['Say so.\nRead: $1 and write: $2', 'a', 'Say so.\nRead: a and write.'],
  ['$ARGUMENTS', '', ''],
  ['$$1 of $1', '', '$1 of'],
])('%j with %j', (template, argument, prompt) => {
  expect(fillIn(template, argument)).toBe(prompt)
})

test('nothing is left of a place without a word, and every other word of the prompt stays', () => {
  const word = fc.constantFrom('Read', 'and', 'write.', '$1', '"$2"', '$ARGUMENTS', '\n')
  fc.assert(
    fc.property(fc.array(word), words => {
      fc.pre(words.some(each => each.includes('$')))
      const filled = fillIn(words.join(' '), '')
      expect(filled).not.toMatch(/\$|\0|""| {2}[^\n]|[ \n]$/)
      const plain = words.filter(each => /[a-z]/.test(each))
      expect(filled.split(/\s+/).filter(each => each !== '')).toEqual(plain)
    }),
  )
})

test('the whole argument is in the prompt, as it was typed', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (before, argument, after) => {
      fc.pre(!/\$/.test(before + after) && argument.trim() !== '')
      expect(fillIn(`${before}$ARGUMENTS ${after}`, argument)).toBe(`${before}${argument} ${after}`)
    }),
  )
})
