/** How to go on, in a sentence. */
export const RAISE_DAY = '/usage limit USD raises it for today, maxCostPerDayUsd in your settings for every day.'
