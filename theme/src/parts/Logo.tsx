/** The logo: a roof over a dot, for an address that is at home. */
export function Logo({ name = 'Homing' }: { readonly name?: string }) {
  return (
    <span className="logo">
      <svg width="28" height="28" viewBox="0 0 32 32" fill="none" aria-hidden="true">
        <rect className="logo-ground" width="32" height="32" rx="8" />
        <path
          className="logo-line"
          d="M7 16.5 16 8l9 8.5M10.5 14.5V24h11v-9.5"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <circle className="logo-dot" cx="16" cy="18.5" r="2.2" />
      </svg>
      {name}
    </span>
  )
}
