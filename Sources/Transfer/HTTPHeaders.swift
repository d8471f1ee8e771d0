/// The header fields of a response, in the order in which they came.
package struct HTTPHeaders: Sendable {
    private var fields: [(name: String, value: String)] = []

    package init(_ fields: [(String, String)] = []) {
        for (name, value) in fields { append(name: name, value: value) }
    }

    /// The field's value, whatever the case of its name; several fields of one name are joined by `, ` as HTTP says; nil if there is none.
    package subscript(name: String) -> String? {
        let name = name.lowercased()
        var joined: String?
        for field in fields where field.name == name {
            joined = joined.map { $0 + ", " + field.value } ?? field.value
        }
        return joined
    }

    mutating func append(name: String, value: String) {
        fields.append((name.lowercased(), value))
    }

    mutating func removeAll() {
        fields.removeAll(keepingCapacity: true)
    }
}
