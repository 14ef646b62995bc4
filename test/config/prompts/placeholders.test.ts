import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillIn } from '../../../src/config/prompts/placeholders.ts'

test.each([
  ['Fix $ARGUMENTS now.', 'the "red" test', 'Fix the "red" test now.'],
  ['Fix $1 in $2.', 'it "src/a b.ts"', 'Fix it in src/a b.ts.'],
  ['Fix $1 in $2.', "it 'src/a b.ts'", 'Fix it in src/a b.ts.'],
  ['Fix $1 in $2.', String.raw`it src/a\ b.ts`, 'Fix it in src/a b.ts.'],
  ['Fix $1, $2 and $3.', 'one', 'Fix one,  and .'],
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
  ['Review $ARGUMENTS', '', 'Review '],
])('%j with %j', (template, argument, prompt) => {
  expect(fillIn(template, argument)).toBe(prompt)
})

test('the whole argument is in the prompt, as it was typed', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (before, argument, after) => {
      fc.pre(!/\$/.test(before + after))
      expect(fillIn(`${before}$ARGUMENTS ${after}`, argument)).toBe(`${before}${argument} ${after}`)
    }),
  )
})
