/// The filters that were used last, each shape once.
///
/// Pure: no call and no lock.
package struct RecentFilters: Sendable {
  /// The filters in the order of their last uses: the last used filter is at the end.
  private var filters: [ResamplingFilter] = []
  private let limit: Int

  /// No filters; at most `limit` are kept, which is above 0.
  package init(limit: Int) { self.limit = limit }

  /// The filter of a shape, which is then the last used; `nil` if it is not kept.
  package mutating func filter(of shape: ResamplingFilter.Shape) -> ResamplingFilter? {
    guard let index = filters.firstIndex(where: { $0.shape == shape }) else { return nil }
    let filter = filters.remove(at: index)
    filters.append(filter)
    return filter
  }

  /// Keeps a filter, and returns it, or the filter of the same shape that is kept already.
  ///
  /// A full list drops the filter that was not used for the longest time.
  package mutating func keep(_ filter: ResamplingFilter) -> ResamplingFilter {
    if let known = self.filter(of: filter.shape) { return known }
    if filters.count == limit { filters.removeFirst() }
    filters.append(filter)
    return filter
  }

  /// The shapes of the filters in the order of their last uses.
  package var shapes: [ResamplingFilter.Shape] { filters.map(\.shape) }
}
