import { Logo } from '@homing/theme/parts/Logo.tsx'

/** The logo and the badge of the back office. */
export function Brand() {
  return (
    <span className="brand">
      <Logo />
      <span className="brand-badge">ADMIN ACCESS</span>
    </span>
  )
}
