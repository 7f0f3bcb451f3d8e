/// A reference to an object that may be gone.
///
/// It is a class, because each copy of a plain weak property retains the object for a moment. A copied array of such
/// properties would end an object on the thread that copies, perhaps under a lock that the object's `deinit` takes.
package final class Weak<Object: AnyObject & Sendable>: Sendable {
  /// The object's identity, also after its end; another object may have it then.
  package let id: ObjectIdentifier?

  /// The object; `nil` after its end.
  ///
  /// Do not read it under a lock that the object's `deinit` takes: the caller may release the last reference.
  package weak let object: Object?

  package init(_ object: Object?) {
    id = object.map { ObjectIdentifier($0) }
    self.object = object
  }
}
