/** Holds the place of the order summary and the form while the checkout loads. */
export function CheckoutSkeleton() {
  return (
    <div className="checkout checkout-skeleton" role="status">
      <span className="visually-hidden">Loading</span>
      <div className="card checkout-summary">
        <span className="skeleton skeleton-name" />
        <span className="skeleton" />
        <span className="skeleton skeleton-text" />
      </div>
      <div className="card checkout-form">
        <span className="skeleton skeleton-name" />
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton skeleton-text" />
      </div>
    </div>
  )
}
