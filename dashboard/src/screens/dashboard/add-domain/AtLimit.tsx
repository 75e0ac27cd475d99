import { Message } from '@homing/theme/parts/Message.tsx'

/** Why no domain can be added, and the way to a plan that includes more. */
export function AtLimit({ reason }: { readonly reason: string }) {
  return (
    <Message tone="warn">
      <p>{reason}</p>
      <a href="/pricing">Compare plans</a>
    </Message>
  )
}
