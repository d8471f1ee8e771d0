internal import Commands

Program.posterity.main(CommandLine.arguments, .captured())
