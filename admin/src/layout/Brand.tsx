/** The logo and the badge of the back office. */
export function Brand() {
  return (
    <span className="brand">
      <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width="22" height="22" />
      <span className="brand-name">Homing</span>
      <span className="brand-badge">ADMIN ACCESS</span>
    </span>
  )
}
