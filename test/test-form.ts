/**
 * Some tests gain from repetition: they run in a short form in `make test`, and in a long one with `TEST_FORM=long`
 * (`npm run test:long`). Both forms make the same assertions; only counts and times differ.
 */
const isLong = process.env['TEST_FORM'] === 'long'

/** How often something is repeated, or how long it lasts, in the form of this run. */
export function byForm<Figure>(figures: { readonly short: Figure; readonly long: Figure }): Figure {
  return isLong ? figures.long : figures.short
}
