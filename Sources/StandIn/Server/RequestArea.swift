/// Which of the stand-in's parts a request is for.
enum RequestArea: String, Sendable {
    case api, images, control

    init(path: String) {
        if path.hasPrefix("/t/p/") {
            self = .images
        } else if path == "/control" || path.hasPrefix("/control/") {
            self = .control
        } else {
            self = .api
        }
    }
}
