/** Confirmation of a removal or another costly step: by a prompt on a terminal, by `--yes` everywhere else. */
import { CommandFailure } from './failure.ts'
import { EXIT } from './exit-codes.ts'
import { type Asking, askYesNo, canAsk, unanswered } from './prompts.ts'

/**
 * Returns when the removal is confirmed.
 *
 * @param question names what will be removed
 * @param unchanged what to say if the answer is no
 * @throws CommandFailure when prompts are not possible, or the answer is no
 */
export async function requireLeave(
  asking: Asking,
  flags: { readonly yes?: boolean },
  question: string,
  unchanged = 'Nothing was removed.',
): Promise<void> {
  if (flags.yes === true) return
  if (!canAsk(asking)) throw unanswered(question, '--yes')
  if (await askYesNo(question)) return
  throw new CommandFailure(EXIT.failed, unchanged)
}
