/** Leave to remove something: asked for on a terminal, given by `--yes` everywhere else. */
import { CommandFailure, usage } from './failure.ts'
import { EXIT } from './exit-codes.ts'
import { type Asking, askYesNo, canAsk } from './prompts.ts'

/**
 * Returns when it may be done.
 *
 * @param question what will be gone, as a question
 * @throws CommandFailure when nobody is there to ask, and when the answer is no
 */
export async function requireLeave(
  asking: Asking,
  flags: { readonly yes?: boolean },
  question: string,
): Promise<void> {
  if (flags.yes === true) return
  if (!canAsk(asking)) throw usage(`Nobody is here to answer "${question}": give --yes.`)
  if (await askYesNo(question)) return
  throw new CommandFailure(EXIT.failed, 'Nothing was removed.')
}
