internal import Core
